import type { App } from './app.ts'
import { WITNESSES } from './model/clock-check.ts'
import { whyNotPrune } from './model/clock-doubt.ts'
import { pause } from './model/clock.ts'
import { DAY_MS, MINUTE_MS } from './model/time.ts'
import { EVENTS_PRUNED_MS } from './store/events.ts'
import { isSkewTooLarge } from './clock-skew.ts'
import { acquireRole } from './store/acquire-role.ts'
import { KEEPER } from './store/roles.ts'
import { StoreGoneError, keptSince } from './store/store.ts'

const TICK_MS = 5_000
const SWEEP_MS = 5 * MINUTE_MS
/** Long enough for one step of pruning on a slow disk. */
const KEEPER_MS = 30_000
const PRUNE_BATCH = 1_000
/** A process that reads channels has heard the time by then. */
const HEARD_MS = MINUTE_MS
/** Five batches a tick prune 1,000 posts a second: twice as many as 500 posts a second bring. */
const PRUNE_STEPS = 5
/** How long sent messages are remembered and dead letters can be sent again: as long as posts are searchable. */
const TOLD_MS = 30 * DAY_MS
/**
 * Periodic maintenance while a service runs. What concerns the store is done by one process, the keeper, for all. Rejects
 * when the store's files are gone, so that the service ends.
 */
export async function maintain(app: App, signal: AbortSignal): Promise<void> {
  const told: Told = { isWrong: false, refusal: '', isSkewed: false }
  const startedSince = app.clock.elapsed()
  let sweptSince = -Infinity
  let keeper: AsyncDisposable | undefined
  const onLost = () => (keeper = undefined)
  await using owned = new AsyncDisposableStack()
  owned.defer(async () => keeper?.[Symbol.asyncDispose]())
  while (!signal.aborted) {
    try {
      await app.context.access.returnIdle()
      await app.expectSameSettings()
      tellSkew(app, await app.compareClocks(), told)
      tellClock(app, told)
      keeper ??= await acquireRole(app.store.roles, KEEPER, { ttlMs: KEEPER_MS, onLost })
      if (!keeper) app.metrics.forgetGauges()
      measureClock(app)
      const steps = [
        () => measure(app),
        async () => {
          if (app.clock.elapsed() - sweptSince < SWEEP_MS) return
          await sweep(app)
          sweptSince = app.clock.elapsed()
        },
        async () => {
          if (app.clock.elapsed() - startedSince >= HEARD_MS || app.clockCheck.isRight())
            await prune(app, told, signal)
        },
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
  isWrong: boolean
  refusal: string
  isSkewed: boolean
}

function tellClock({ clockCheck, events }: App, told: Told): void {
  const problem = clockCheck.problem()
  const isWrong = problem !== null
  if (isWrong !== told.isWrong) events.clockWrong(problem)
  told.isWrong = isWrong
}

function tellSkew({ events }: App, aheadMs: number, told: Told): void {
  const isSkewed = isSkewTooLarge(aheadMs)
  if (isSkewed !== told.isSkewed) events.clocksApart(isSkewed ? { aheadMs } : null)
  told.isSkewed = isSkewed
}

/** Each process has a clock of its own. */
function measureClock({ clockCheck, metrics }: App): void {
  metrics.clockAhead.forget()
  for (const other of WITNESSES) {
    const aheadMs = clockCheck.aheadOf(other)
    if (aheadMs !== null) metrics.clockAhead.set(aheadMs / 1000, { other })
  }
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

/** Finishes what was left unfinished and, by a clock that is right, erases what has expired. */
async function sweep({ store, clock, clockCheck }: App): Promise<void> {
  await store.removals.resume()
  if (!clockCheck.isRight()) return
  await store.tidy?.()
  await store.ledger.sweep()
  await store.deliveries.expire(clock.now() - TOLD_MS)
  await store.frontier.forgetCandidates(PRUNE_BATCH, clock.now())
}

/** In small batches, so that nothing waits for it. */
async function prune(
  { store, clock, clockCheck, events, context }: App,
  told: Told,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const since = keptSince(store.retention, now)
  if (since <= 0) return
  const totals = await context.overview.totals()
  const reason = whyNotPrune(totals, { now, since }, clockCheck) ?? ''
  if (reason !== '' && reason !== told.refusal) events.pruneRefused({ reason })
  told.refusal = reason
  if (reason !== '') return
  await inSteps(PRUNE_STEPS, signal, async () => {
    return (await store.archive.prune(since, PRUNE_BATCH)) === PRUNE_BATCH
  })
}

async function pruneEvents({ store, clock, clockCheck }: App, signal: AbortSignal): Promise<void> {
  if (!clockCheck.isRight()) return
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
