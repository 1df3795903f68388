/**
 * The crawl loop: lease channels that are due, visit them, settle the results. Any number of crawlers may run on one store:
 * leases keep them off each other's channels, and the store's budget limits the requests of all of them together.
 */
import { pause, type Clock } from '../model/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../model/time.ts'
import type { LeasedVisit } from '../store/frontier.ts'
import type { Store } from '../store/store.ts'
import { OWN_CHANNEL, type Source } from '../telegram/source.ts'
import { admitCandidates } from './admit.ts'
import { createBreaker } from './breaker.ts'
import type { CrawlEvents } from './crawl-events.ts'
import type { Politeness } from './politeness.ts'
import { LEASE_MS, STORE_DOWN_MS, createVisitRunner } from './run-visit.ts'
import { createShadowPrice } from './shadow-price.ts'

export interface CrawlerOptions {
  readonly store: Store
  readonly source: Source
  readonly politeness: Politeness
  readonly clock: Clock
  /** From `createOwner`, so that this process's leases can be told from those of dead processes. */
  readonly owner: string
  readonly ratePerS: number
  readonly concurrency: number
  /** `discover`: channels found in forwards and mentions are admitted. */
  readonly autoIndex: 'off' | 'live' | 'discover'
  readonly events: CrawlEvents
  /** Then nothing is written or scheduled. */
  readonly isClockWrong: () => boolean
  /** In [0, 1). */
  readonly random: () => number
  /** How long visits under way may continue once the crawler is told to stop. */
  readonly drainMs?: number
}

interface Crawler {
  /** Crawls until aborted; then waits for visits under way, aborting those that take too long, and resolves. */
  run(signal: AbortSignal): Promise<void>
}

const HEARTBEAT_MS = 15 * SECOND_MS
const IDLE_MS = SECOND_MS
const DRAIN_MS = 4 * SECOND_MS
const DISCOVER_EVERY_MS = 10 * MINUTE_MS
/** While the clock is wrong, how often the platform is asked whether it still is. */
const ASK_TIME_MS = MINUTE_MS

export function createCrawler(options: CrawlerOptions): Crawler {
  const { store, source, clock, events, isClockWrong } = options
  const { frontier } = store
  const breaker = createBreaker(clock, (until) => events.paused({ until }))
  const shadowPrice = createShadowPrice(options)
  let stopping: AbortSignal | undefined
  let isIdle = false
  let askedSince = -Infinity

  const takeReserve = (isForGap: boolean) =>
    store.budget.takeReserve({ isForGap, isIdle, ratePerS: options.ratePerS })
  const visits = createVisitRunner({
    ...options,
    breaker,
    events,
    pricing: () => shadowPrice.pricing(),
    mayUseReserve: async (purpose) => !stopping?.aborted && takeReserve(purpose === 'gap'),
  })

  async function lease(free: number): Promise<readonly LeasedVisit[]> {
    const limit = breaker.isHalfOpen() ? Math.min(free, 1 - visits.active) : free
    if (limit <= 0 || breaker.isOpen()) return []
    const asked = { owner: options.owner, ttlMs: LEASE_MS }
    const due = await frontier.lease({ ...asked, limit, eager: false })
    isIdle = due.length < limit
    if (due.length > 0) return due
    // One at a time: channels visited early must not be ahead of one that becomes due meanwhile.
    return frontier.lease({ ...asked, limit: 1, eager: true })
  }

  /** Whatever the page shows: the reply tells the time. */
  async function askTime(signal: AbortSignal): Promise<void> {
    if (clock.elapsed() - askedSince < ASK_TIME_MS) return
    askedSince = clock.elapsed()
    await source.page(OWN_CHANNEL, null, { purpose: 'visit', signal })
  }

  async function leaseOrWait(signal: AbortSignal): Promise<readonly LeasedVisit[]> {
    try {
      if (isClockWrong()) {
        await askTime(signal)
        return []
      }
      await shadowPrice.refresh()
      return await lease(options.concurrency - visits.active)
    } catch (error) {
      events.crashed({ channel: '', error })
      await pause(clock, STORE_DOWN_MS, signal)
      return []
    }
  }

  async function crawl(signal: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>()
    try {
      while (!signal.aborted) {
        const leased = await leaseOrWait(signal)
        for (const each of leased) {
          const done: Promise<void> = visits.run(each).finally(() => running.delete(done))
          running.add(done)
        }
        if (leased.length > 0 && visits.active < options.concurrency) continue
        const woken = new AbortController()
        const nap = pause(clock, IDLE_MS, AbortSignal.any([signal, woken.signal]))
        await Promise.race([nap, ...running])
        woken.abort()
      }
    } finally {
      await drain(running)
    }
  }

  async function drain(running: ReadonlySet<Promise<void>>): Promise<void> {
    const drained = Promise.all(running)
    const enough = new AbortController()
    const grace = pause(clock, options.drainMs ?? DRAIN_MS, enough.signal)
    await Promise.race([drained, grace])
    enough.abort()
    visits.stopAll()
    await drained
  }

  async function discover(signal: AbortSignal): Promise<void> {
    if (options.autoIndex !== 'discover' || isClockWrong()) return
    const mayUseReserve = () => takeReserve(false)
    const onDecided = events.candidateDecided
    await admitCandidates({ store, source, clock, mayUseReserve, onDecided }, signal)
  }

  const tell = (error: unknown) => events.crashed({ channel: '', error })

  /** Does some work at intervals; errors are reported and do not end it. */
  async function every(ms: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock
        .sleep(ms, signal)
        .then(work)
        .catch((error: unknown) => {
          if (!signal.aborted) tell(error)
        })
    }
  }

  return {
    async run(signal) {
      stopping = signal
      await frontier.releaseDead?.(options.owner)
      const stop = new AbortController()
      const either = AbortSignal.any([signal, stop.signal])
      const beside = [
        // Leases are renewed until the last visit has ended; discovery ends as soon as the crawler is told to stop.
        every(HEARTBEAT_MS, visits.keepLeases, stop.signal),
        every(DISCOVER_EVERY_MS, () => discover(either), either),
      ]
      try {
        await crawl(signal)
      } finally {
        stop.abort(new Error('the crawler stops'))
        await Promise.all(beside)
      }
    },
  }
}
