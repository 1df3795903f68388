import type { App } from './app.ts'
import { keptSince } from './store/store.ts'

const TICK_MS = 5_000
const SWEEP_EVERY = 60
const PRUNE_BATCH = 1_000

/** The small things that have to happen now and then while a service runs. */
export async function maintain(app: App, signal: AbortSignal): Promise<void> {
  for (let tick = 0; !signal.aborted; tick += 1) {
    try {
      await app.context.access.returnIdle()
      await measure(app)
      if (tick % SWEEP_EVERY === 0) await sweep(app)
      await prune(app)
    } catch (error) {
      if (signal.aborted) return
      app.events.workerFailed(error, 'maintenance')
    }
    await app.clock.sleep(TICK_MS, signal).catch(() => {})
  }
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
