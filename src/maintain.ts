import type { App } from './app.ts'
import { createOwner } from './store/owner.ts'
import { KEEPER, type RoleLease } from './store/roles.ts'
import { keptSince } from './store/store.ts'

const TICK_MS = 5_000
const SWEEP_MS = 5 * 60_000
/** Long enough for a step of pruning on a slow disk. */
const KEEPER_MS = 30_000
const PRUNE_BATCH = 1_000

/** The small things that have to happen now and then while a service runs; what concerns the store, one process does for all. */
export async function maintain(app: App, signal: AbortSignal): Promise<void> {
  const { roles } = app.store
  const owner = createOwner()
  let sweptSince = -Infinity
  let keeper: RoleLease | undefined
  while (!signal.aborted) {
    try {
      await app.context.access.returnIdle()
      await measure(app)
      keeper = await roles.acquire(KEEPER, owner, KEEPER_MS)
      if (keeper && app.clock.elapsed() - sweptSince >= SWEEP_MS) {
        await sweep(app)
        sweptSince = app.clock.elapsed()
      }
      if (keeper) await prune(app)
    } catch (error) {
      if (signal.aborted) break
      app.events.workerFailed(error, 'maintenance')
    }
    await app.clock.sleep(TICK_MS, signal).catch(() => {})
  }
  if (keeper) await roles.release(keeper).catch(() => {})
}

async function measure({ context, metrics }: App): Promise<void> {
  const { overview } = context
  const [totals, pending, lagS, state] = await Promise.all([
    overview.totals(),
    overview.pending(),
    overview.lagS(),
    overview.index(),
  ])
  metrics.indexPending.set(pending.count)
  metrics.indexLag.set(lagS)
  metrics.searchablePosts.set(state.posts)
  metrics.channels.reset()
  for (const [status, count] of Object.entries(totals.channelsByStatus))
    metrics.channels.set({ status }, count)
}

/** What time alone has made worthless, and what was left unfinished. */
async function sweep({ store, clock }: App): Promise<void> {
  await store.removals.resume()
  await store.ledger.sweep(clock.now())
  await store.frontier.forgetCandidates(PRUNE_BATCH, clock.now())
}

/** A little at a time, so that nothing waits for it. */
async function prune({ store, clock }: App): Promise<void> {
  const since = keptSince(store.retention, clock.now())
  if (since > 0) await store.archive.prune(since, PRUNE_BATCH)
}
