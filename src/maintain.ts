import type { App } from './app.ts'
import { whyNotPrune } from './model/clock-doubt.ts'
import { pause } from './model/clock.ts'
import { DAY_MS, MINUTE_MS } from './model/time.ts'
import { EVENTS_PRUNED_MS } from './store/events.ts'
import { acquireRole } from './store/acquire-role.ts'
import { KEEPER } from './store/roles.ts'
import { isSkewTooLarge, skewOf } from './ready.ts'
import { StoreGoneError, keptSince } from './store/store.ts'

const TICK_MS = 5_000
const SWEEP_MS = 5 * MINUTE_MS
/** Long enough for one step of pruning on a slow disk. */
const KEEPER_MS = 30_000
const PRUNE_BATCH = 1_000
/** Five batches a tick prune 1,000 posts a second: twice as many as 500 posts a second bring. */
const PRUNE_STEPS = 5
/** How long sent messages are remembered and dead letters can be sent again: as long as posts are searchable. */
const TOLD_MS = 30 * DAY_MS
/**
 * Periodic maintenance while a service runs. What concerns the store is done by one process, the keeper, for all. Rejects
 * when the store's files are gone, so that the service ends.
 */
export async function maintain(app: App, signal: AbortSignal): Promise<void> {
  const told: Told = { fault: '', refusal: '', isSkewed: false }
  let sweptSince = -Infinity
  let keeper: AsyncDisposable | undefined
  const onLost = () => (keeper = undefined)
  await using owned = new AsyncDisposableStack()
  owned.defer(async () => keeper?.[Symbol.asyncDispose]())
  while (!signal.aborted) {
    try {
      await app.context.access.returnIdle()
      await app.expectSameSettings()
      await tellSkew(app, told)
      tellFault(app, told)
      keeper ??= await acquireRole(app.store.roles, KEEPER, { ttlMs: KEEPER_MS, onLost })
      if (!keeper) app.metrics.forgetGauges()
      const steps = [
        () => measure(app),
        async () => {
          if (app.clock.elapsed() - sweptSince < SWEEP_MS) return
          await sweep(app)
          sweptSince = app.clock.elapsed()
        },
        () => prune(app, told, signal),
        () => pruneEvents(app, signal),
      ]
      for (const step of steps) {
        if (!keeper || signal.aborted) break
        // A step that fails does not keep the others from running.
        await step().catch((error: unknown) => {
          if (!signal.aborted) app.events.workerFailed(error, 'maintenance')
        })
      }
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof StoreGoneError) throw error
      // Gauges that keep their last values would look healthy and raise no alarm.
      app.metrics.forgetGauges()
      app.events.workerFailed(error, 'maintenance')
    }
    await pause(app.clock, TICK_MS, signal)
  }
}

/** The last messages, so that each is logged only once. */
interface Told {
  fault: string
  refusal: string
  isSkewed: boolean
}

function tellFault({ clock, events }: App, told: Told): void {
  const fault = clock.fault()
  const kind = fault?.kind ?? ''
  if (kind !== told.fault) events.clockDoubted(fault)
  told.fault = kind
}

async function tellSkew({ store, clock, events }: App, told: Told): Promise<void> {
  const aheadMs = await skewOf(store, clock)
  const isSkewed = isSkewTooLarge(aheadMs)
  if (isSkewed !== told.isSkewed) events.clocksApart(isSkewed ? { aheadMs } : null)
  told.isSkewed = isSkewed
}

async function measure(app: App): Promise<void> {
  const { context, metrics } = app
  const { overview } = context
  const [totals, pending, lagS, state, pictures] = await Promise.all([
    overview.totals(),
    overview.pending(),
    overview.lagS(),
    overview.index(),
    overview.pictures(),
  ])
  metrics.indexPending.set(pending.count)
  metrics.indexLag.set(lagS)
  metrics.searchablePosts.set(state.posts)
  metrics.pictureFiles.set(pictures.files)
  metrics.pictureBytes.set(pictures.bytes)
  metrics.picturesWaiting.set(pictures.waiting)
  metrics.picturesMissing.set(pictures.missing)
  metrics.channels.forget()
  for (const [status, count] of Object.entries(totals.channelsByStatus))
    metrics.channels.set(count, { status })
  await measureWatches(app)
}

async function measureWatches({ context, metrics, clock }: App): Promise<void> {
  const { watches, pending, dead, behindSince } = await context.overview.watches()
  metrics.watches.set(watches)
  metrics.deliveriesWaiting.set(pending, { state: 'pending' })
  metrics.deliveriesWaiting.set(dead, { state: 'dead' })
  metrics.watchLag.set(behindSince === null ? 0 : Math.max(0, clock.now() - behindSince) / 1000)
}

/** Erases what has expired and finishes what was left unfinished. */
async function sweep({ store, clock }: App): Promise<void> {
  await store.removals.resume()
  if (clock.fault() !== null) return
  await store.tidy?.()
  await store.ledger.sweep()
  await store.deliveries.replanMisplanned(clock.now())
  await store.deliveries.expire(clock.now() - TOLD_MS)
  await store.frontier.forgetCandidates(PRUNE_BATCH, clock.now())
}

/** In small batches, so that nothing waits for it. */
async function prune(
  { store, clock, events, context }: App,
  told: Told,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const since = keptSince(store.retention, now)
  if (since <= 0) return
  const time = { isConfirmed: clock.isConfirmed(), isContradicted: clock.isContradicted() }
  const totals = await context.overview.totals()
  const reason = whyNotPrune(totals, { now, since }, time) ?? ''
  if (reason !== '' && reason !== told.refusal) events.pruneRefused({ reason })
  told.refusal = reason
  if (reason !== '') return
  await inSteps(PRUNE_STEPS, signal, async () => {
    return (await store.archive.prune(since, PRUNE_BATCH)) === PRUNE_BATCH
  })
}

/** By the same clock that dated the events. A wrong clock forgets them early; followers are then told of the gap. */
async function pruneEvents({ store, clock }: App, signal: AbortSignal): Promise<void> {
  if (clock.fault() !== null) return
  const before = clock.now() - EVENTS_PRUNED_MS
  await inSteps(PRUNE_STEPS, signal, async () => {
    return (await store.events.prune(before, PRUNE_BATCH)) === PRUNE_BATCH
  })
}

/** Runs until a step finds nothing more to do; other work gets its turn between two steps. */
async function inSteps(most: number, signal: AbortSignal, step: () => Promise<boolean>) {
  for (let done = 0; done < most && !signal.aborted; done++) {
    if (!(await step())) return
  }
}
