import type { App } from './app.ts'
import { whyNotPrune } from './model/clock-doubt.ts'
import type { ArchiveTotals } from './store/archive.ts'
import { keptSince } from './store/store.ts'

const TICK_MS = 5_000
const SWEEP_EVERY = 60
const PRUNE_BATCH = 1_000

/** The small things that have to happen now and then while a service runs. */
export async function maintain(app: App, signal: AbortSignal): Promise<void> {
  const told = { fault: '', refusal: '' }
  for (let tick = 0; !signal.aborted; tick += 1) {
    try {
      await app.context.access.returnIdle()
      const totals = await measure(app)
      tellFault(app, told)
      if (tick % SWEEP_EVERY === 0) await sweep(app)
      await prune(app, totals, told)
    } catch (error) {
      if (signal.aborted) return
      app.events.workerFailed(error, 'maintenance')
    }
    await app.clock.sleep(TICK_MS, signal).catch(() => {})
  }
}

/** What was last told, so that it is told once. */
interface Told {
  fault: string
  refusal: string
}

function tellFault({ clock, events }: App, told: Told): void {
  const fault = clock.fault()
  const kind = fault?.kind ?? ''
  if (kind !== told.fault) events.clockDoubted(fault)
  told.fault = kind
}

async function measure({ context, metrics }: App): Promise<ArchiveTotals> {
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
  return totals
}

/** What time alone has made worthless, and what was left unfinished. */
async function sweep({ store, clock }: App): Promise<void> {
  await store.removals.resume()
  if (clock.fault() !== null) return
  await store.ledger.sweep(clock.now())
  await store.frontier.forgetCandidates(PRUNE_BATCH, clock.now())
}

/** A little at a time, so that nothing waits for it. */
async function prune({ store, clock, events }: App, totals: ArchiveTotals, told: Told) {
  const now = clock.now()
  const since = keptSince(store.retention, now)
  if (since <= 0) return
  const isContradicted = clock.fault()?.kind === 'contradicted'
  const time = { isConfirmed: clock.isConfirmed(), isContradicted }
  const reason = whyNotPrune(totals, { now, since }, time) ?? ''
  if (reason !== '' && reason !== told.refusal) events.pruneRefused({ reason })
  told.refusal = reason
  if (reason === '') await store.archive.prune(since, PRUNE_BATCH)
}
