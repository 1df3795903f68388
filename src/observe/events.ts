import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import { AppError, isUnavailable } from '../model/errors.ts'
import type { RequestServed } from '../model/request-served.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { VisitFinished } from '../model/visit-finished.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** A single visit may fail for its own reasons; this many in a row are due to the platform or the network. */
const SILENCES_TOLD = 3
/** While a store is unavailable, every loop fails the same way several times a second: the log must not fill a disk. */
const TOLD_AGAIN_MS = MINUTE_MS

/**
 * One function per event, with its log line and its metrics. Each part of the program declares the few events it reports;
 * this object implements them all. Nothing here may log a query, a key or an address.
 */
export function createEvents(log: Logger, metrics: Metrics, clock: Pick<Clock, 'elapsed'>) {
  // Until the platform has answered for the first time, one failure is enough.
  let silences = SILENCES_TOLD - 1
  /** For each problem, when it was last logged and how often it has occurred since. */
  const failures = createCache<string, { readonly since: number; again: number }>({
    maxEntries: 100,
  })

  /** Workers that, by the log, wait, stand by or have failed. */
  const idle = new Set<string>()

  /** How often a problem occurred since it was last logged, if ever; undefined when it is too early to log it again. */
  function timesUntold(trouble: string): { readonly again?: number } | undefined {
    const before = failures.get(trouble)
    if (before && clock.elapsed() - before.since < TOLD_AGAIN_MS) {
      before.again++
      return undefined
    }
    failures.set(trouble, { since: clock.elapsed(), again: 0 })
    return before && before.again > 0 ? { again: before.again } : {}
  }

  function workerWaits(reason: string, worker: string): void {
    const often = timesUntold(`${worker} ${reason}`)
    if (!often) return
    idle.add(worker)
    log.warn({ reason, worker, ...often }, 'worker waits')
  }

  function workerWorked(worker: string): void {
    if (idle.delete(worker)) log.info({ worker }, 'worker works')
  }

  return {
    requestServed(event: RequestServed) {
      metrics.requests.inc(1, { operation: event.operation, status: String(event.status) })
      metrics.requestSeconds.observe(event.ms / 1000, { operation: event.operation })
      log.debug({ ...event, ms: Math.round(event.ms * 10) / 10 }, 'request served')
    },
    requestFailed(error: unknown, event: { requestId: string; operation: string }) {
      const { requestId, operation } = event
      log.error({ err: error, requestId, operation }, 'request failed')
    },
    /** Whoever asked was not told the address of what is down. */
    requestRefused({ message }: AppError) {
      const often = timesUntold(`requests ${message}`)
      if (often) log.warn({ reason: message, ...often }, 'requests are refused')
    },
    /** When the store is unavailable, followers are told through their streams, so a warning is enough here. */
    streamsFailed(error: unknown) {
      const often = timesUntold(`streams ${String(error)}`)
      if (!often) return
      if (error instanceof AppError) log.warn({ reason: error.message, ...often }, 'streams wait')
      else log.error({ err: error, ...often }, 'streams could not be told')
    },
    /** Several readers of the log meet the same event, and one that damaged thousands must not fill the log. */
    eventLost(event: { readonly seq: number }) {
      const often = timesUntold('events')
      if (often) log.error({ ...event, ...often }, 'an event of the log cannot be read')
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
    /** `problem` is null when the platform answered, whatever it said. Silence is logged once, until it answers again. */
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
    visitFinished(event: VisitFinished) {
      workerWorked('crawler')
      metrics.visits.inc(1, { outcome: event.outcome })
      metrics.postsAdded.inc(event.added)
      metrics.postsChanged.inc(event.changed)
      metrics.postsDeleted.inc(event.deleted)
      for (const delay of event.delaysMs) metrics.postDelay.observe(delay / 1000)
      const { delaysMs: _, ...told } = event
      log[event.outcome === 'page' ? 'debug' : 'info'](told, 'visit finished')
    },
    /** Null when the clock is right again. */
    clockWrong(problem: string | null) {
      if (problem === null) log.info('our clock is right again')
      else log.error(problem)
    },
    /** Null when both clocks agree again. */
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
      workerWorked('indexer')
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
      if (event.outcome === 'sent') workerWorked('deliveries')
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
      idle.add(worker)
      log.info({ reason, worker }, 'worker stands by')
    },
    pictureAsked(event: { outcome: string; bytes: number }) {
      metrics.picturesAsked.inc(1, { outcome: event.outcome })
      metrics.pictureBytesRead.inc(event.bytes)
    },
    /** Null when pictures are fetched again. */
    picturesHeld(why: 'full' | 'day' | 'platform' | null) {
      if (why === 'full')
        log.warn('pictures take all the room they were given: no more are fetched')
      else if (why === null) log.debug('pictures are fetched again')
      else log.info({ why }, 'no pictures are fetched for a while')
    },
    /** A store or index that is unavailable is no bug of ours, and a stack trace would help nobody. */
    workerFailed(error: unknown, worker: string) {
      if (isUnavailable(error)) return workerWaits(error.message, worker)
      const often = timesUntold(`${worker} ${String(error)}`)
      if (!often) return
      idle.add(worker)
      log.error({ err: error, worker, ...often }, 'worker failed')
    },
  }
}
export type Events = ReturnType<typeof createEvents>
