import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import { AppError, isUnavailable } from '../model/errors.ts'
import type { RequestServed } from '../model/request-served.ts'
import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** One visit may fail on its own; so many in a row are the platform's or the network's doing. */
const SILENCES_TOLD = 3
/** While a store is away every loop meets the same trouble several times a second: it must not fill a disk. */
const TOLD_AGAIN_MS = MINUTE_MS

/**
 * One function per thing that happens: its log line and its metrics together. The parts of the program each declare the
 * few events they tell; this object has them all. Never a query, a key or an address.
 */
export function createEvents(log: Logger, metrics: Metrics, clock: Pick<Clock, 'elapsed'>) {
  // Before the platform was ever heard, one failure tells enough.
  let silences = SILENCES_TOLD - 1
  /** What was failed with, when it was told, and how often it came since. */
  const failures = createCache<string, { readonly since: number; again: number }>({
    maxEntries: 100,
  })

  /** How often it came since it was last told; undefined where that is not to be told again yet. */
  function timesUntold(trouble: string): number | undefined {
    const before = failures.get(trouble)
    if (before && clock.elapsed() - before.since < TOLD_AGAIN_MS) {
      before.again++
      return undefined
    }
    failures.set(trouble, { since: clock.elapsed(), again: 0 })
    return before?.again ?? 0
  }

  function workerWaits(reason: string, worker: string): void {
    const again = timesUntold(`${worker} ${reason}`)
    if (again === undefined) return
    log.warn({ reason, worker, ...(again > 0 && { again }) }, 'worker waits')
  }

  return {
    requestServed(event: RequestServed) {
      metrics.requests.inc(1, { operation: event.operation, status: String(event.status) })
      metrics.requestSeconds.observe(event.ms / 1000, { operation: event.operation })
      log.debug({ ...event, ms: Math.round(event.ms * 10) / 10 }, 'request served')
    },
    requestFailed(error: unknown, event: { requestId: string; operation: string }) {
      log.error(
        { err: error, requestId: event.requestId, operation: event.operation },
        'request failed',
      )
    },
    /** Of a store that is away those who follow are told by themselves. */
    streamsFailed(error: unknown) {
      const again = timesUntold(`streams ${String(error)}`)
      if (again === undefined) return
      const often = again > 0 ? { again } : {}
      if (error instanceof AppError) log.warn({ reason: error.message, ...often }, 'streams wait')
      else log.error({ err: error, ...often }, 'streams could not be told')
    },
    requestShed() {
      metrics.shed.inc(1)
    },
    toolFailed(error: unknown, event: { requestId: string; tool: string }) {
      log.error({ err: error, requestId: event.requestId, tool: event.tool }, 'tool failed')
    },
    started(event: {
      address: string | null
      crawling: boolean
      indexing: boolean
      channels: number
    }) {
      log.info(event, 'serving')
    },
    channelRefused(event: { name: string; outcome: string }) {
      log.warn(event, 'a channel of TELEGREP_CHANNELS was not added')
    },
    stopped() {
      log.info('stopped')
    },
    platformAsked(purpose: string) {
      metrics.upstreamRequests.inc(1, { purpose })
    },
    pageRead(page: { warnings: readonly string[] }) {
      for (const warning of page.warnings) metrics.parseWarnings.inc(1, { warning })
    },
    /** A null problem: it answered, whatever it said. Silence is told once, until it answers again. */
    platformHeard(event: { source: string; problem: string | null }) {
      if (event.problem === null) {
        if (silences >= SILENCES_TOLD)
          log.info({ source: event.source }, 'the platform can be read again')
        silences = 0
        return
      }
      silences += 1
      if (silences === SILENCES_TOLD) log.warn(event, 'the platform cannot be read')
    },
    visitFinished(event: {
      channel: string
      outcome: string
      requests: number
      added: number
      changed: number
      deleted: number
      tookMs: number
      delaysMs: readonly number[]
      lateMs: number
      openGaps: number
    }) {
      metrics.visits.inc(1, { outcome: event.outcome })
      metrics.postsAdded.inc(event.added)
      metrics.postsChanged.inc(event.changed)
      metrics.postsDeleted.inc(event.deleted)
      for (const delay of event.delaysMs) metrics.postDelay.observe(delay / 1000)
      const { delaysMs: _, ...told } = event
      log[event.outcome === 'page' ? 'debug' : 'info'](told, 'visit finished')
    },
    plansVoided(event: { count: number }) {
      log.warn(event, 'visits that a wrong clock had planned are due now')
    },
    /** Null: the clock is believed again. */
    clockDoubted(fault: { kind: string; aheadMs: number } | null) {
      if (fault === null) return log.info('the clock is believed again')
      const aheadDays = Math.round(fault.aheadMs / DAY_MS)
      if (fault.kind === 'leapt') log.warn({ aheadDays }, 'the clock leapt and is not believed')
      else log.error({ aheadDays }, 'the platform tells another time: nothing is written or erased')
    },
    /** Null: they tell the same time again. */
    clocksApart(event: { aheadMs: number } | null) {
      if (event === null) log.info('our clock and the store’s tell the same time again')
      else log.error(event, 'the store’s clock tells another time than ours: not ready')
    },
    pruneRefused(event: { reason: string }) {
      log.error(event, 'nothing is pruned')
    },
    throttled(pause: { until: number }) {
      metrics.throttled.inc(1)
      log.warn({ until: new Date(pause.until).toISOString() }, 'the platform asks to slow down')
    },
    notStamped(reason: string) {
      log.warn({ reason }, 'a package of evidence goes without a timestamp')
    },
    paused(pause: { until: number }) {
      log.warn({ until: new Date(pause.until).toISOString() }, 'visits pause, most of them fail')
    },
    candidateDecided(event: { name: string; verdict: string }) {
      log.info(event, 'candidate decided')
    },
    crashed({ channel, error }: { channel: string; error: unknown }) {
      if (isUnavailable(error)) workerWaits(error.message, 'crawler')
      else log.error({ err: error, channel }, 'visit crashed')
    },
    indexed(event: { posts: number; removed: number; tookMs: number }) {
      metrics.indexed.inc(event.posts)
      log.debug(event, 'indexed')
    },
    rebuilding(event: { done: number; total: number }) {
      log.info(event, 'rebuilding the index')
    },
    indexDamaged({ why }: { why: string | null }) {
      metrics.indexDamaged.inc(1)
      if (why === null)
        log.warn('there is no index, as beside a restored backup: it is built from the archive')
      else log.error({ why }, 'the index was damaged or lost: it is built anew')
    },
    delivered(event: { sink: string; outcome: 'sent' | 'failed' | 'dead' }) {
      metrics.deliveries.inc(1, event)
      log[event.outcome === 'dead' ? 'warn' : 'debug'](event, 'delivery')
    },
    sinkStopped(event: { watch: string; sink: string; reason: string }) {
      log.warn(event, 'a watch tells this sink nothing more')
    },
    watchUnreadable(event: { watch: string; reason: string }) {
      log.warn(event, 'a watch cannot be read and finds nothing')
    },
    workerWaits,
    /** Another process does its work: how it should be where there are two of a kind. */
    workerStandsBy(reason: string, worker: string) {
      log.info({ reason, worker }, 'worker stands by')
    },
    pictureAsked(event: { outcome: string; bytes: number }) {
      metrics.picturesAsked.inc(1, { outcome: event.outcome })
      metrics.pictureBytesRead.inc(event.bytes)
    },
    /** A null reason: they are fetched again. */
    picturesHeld(why: 'full' | 'day' | 'platform' | null) {
      if (why === 'full')
        log.warn('pictures take all the room they were given: no more are fetched')
      else if (why === null) log.debug('pictures are fetched again')
      else log.info({ why }, 'no pictures are fetched for a while')
    },
    /** A store or an index that is away is no fault of ours, and where in the code it was missed helps nobody. */
    workerFailed(error: unknown, worker: string) {
      if (isUnavailable(error)) return workerWaits(error.message, worker)
      const again = timesUntold(`${worker} ${String(error)}`)
      if (again === undefined) return
      log.error({ err: error, worker, ...(again > 0 && { again }) }, 'worker failed')
    },
  }
}
export type Events = ReturnType<typeof createEvents>
