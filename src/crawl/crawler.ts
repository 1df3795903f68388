/**
 * The loop: lease what is due, visit it, settle what it brought. Any number of these may run on one store; leases keep
 * them off each other's channels, and the store's budget keeps all of them together polite.
 */
import type { Channel } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import { NOTHING_WRITTEN, type Reading, type ReadingResult } from '../store/archive.ts'
import type { Gap, Lease, LeasedVisit, VisitResult } from '../store/frontier.ts'
import { keptSince, type Store } from '../store/store.ts'
import type { Source } from '../telegram/source.ts'
import { admitCandidates } from './admit.ts'
import { createBreaker } from './breaker.ts'
import { describeVisit } from './crawl-events.ts'
import type { CrawlEvents } from './crawl-events.ts'
import { sightingsOf } from './discover.ts'
import { afterCrash } from './failures.ts'
import { createHiddenPosts } from './notes.ts'
import { MINUTE, SECOND } from './policy.ts'
import type { Politeness } from './politeness.ts'
import { createPricer } from './pricer.ts'
import { createSoftSigns } from './soft-signs.ts'
import { visit } from './visit.ts'
import type { VisitEnd } from './visit.ts'

export interface CrawlerOptions {
  readonly store: Store
  readonly source: Source
  readonly politeness: Politeness
  readonly clock: Clock
  /** From `createOwner`, so that the leases of this process can be told from those of the dead. */
  readonly owner: string
  readonly ratePerS: number
  readonly concurrency: number
  /** `discover`: channels found in forwards and mentions are admitted. */
  readonly autoIndex: 'off' | 'live' | 'discover'
  readonly events?: CrawlEvents
  /** The platform tells another time than our clock: nothing is written by it. */
  readonly isClockWrong?: () => boolean
  /** In [0, 1). */
  readonly random: () => number
  /** How long visits under way may go on once the crawler is told to stop. */
  readonly drainMs?: number
}

interface Crawler {
  /** Crawls until aborted; then lets visits under way end, or lets go of them, and resolves. */
  run(signal: AbortSignal): Promise<void>
}

/** Long enough for a slow request with its retries; short enough that a dead host's channels are soon visited again. */
const LEASE_MS = 60 * SECOND
const HEARTBEAT_MS = 15 * SECOND
const IDLE_MS = SECOND
const DRAIN_MS = 4 * SECOND
/** A store that cannot be written (a full disk) is asked again after this. */
const STORE_DOWN_MS = 5 * SECOND
const DISCOVER_EVERY_MS = 10 * MINUTE
const CHECK_PLANS_MS = 10 * MINUTE
/** How often the platform is asked whether the clock is still wrong. */
const WRONG_CLOCK_MS = MINUTE

interface Held {
  lease: Lease
  readonly abort: AbortController
}

export function createCrawler(options: CrawlerOptions): Crawler {
  const { store, source, clock, owner, events = {}, concurrency } = options
  const { isClockWrong = () => false } = options
  const { frontier, archive } = store
  const breaker = createBreaker(clock, (until) => events.paused?.({ until }))
  const pricer = createPricer({ ...options, onPriced: (event) => events.priced?.(event) })
  const softSigns = createSoftSigns()
  const hidden = createHiddenPosts(clock)
  const active = new Map<number, Held>()
  let isIdle = false
  let wrongSince = -Infinity

  const takeReserve = (isForGap: boolean) =>
    store.budget.takeReserve({ isForGap, isIdle, ratePerS: options.ratePerS })

  async function runVisit(leased: LeasedVisit, stopping: AbortSignal): Promise<void> {
    const held: Held = { lease: leased.lease, abort: new AbortController() }
    const { channelId } = leased.lease
    active.set(channelId, held)
    const startedAt = clock.now()
    const deps = {
      source,
      archive,
      clock,
      hidden,
      keptSince: keptSince(store.retention, startedAt),
      random: options.random,
      pricing: pricer.pricing(),
      mayUseReserve: async (purpose: Gap['kind']) =>
        !stopping.aborted && takeReserve(purpose === 'gap'),
      checkpoint: async (...[reading, gaps]: Parameters<Checkpoint>) =>
        !isClockWrong() && (await frontier.checkpoint(held.lease, { reading, gaps })) !== 'stale',
    }
    try {
      const end = await visit(leased, deps, held.abort.signal)
      if (isClockWrong()) {
        wrongSince = clock.elapsed()
        await frontier.release(held.lease)
        return
      }
      const written = await finish(leased, held.lease, end)
      const now = clock.now()
      breaker.note(isSystemic(end))
      events.visitFinished?.(describeVisit(leased, end, written, { startedAt, now }))
    } catch (error) {
      await letGo(leased, held, error)
    } finally {
      active.delete(channelId)
    }
  }

  function settle(lease: Lease, result: VisitResult): Promise<ReadingResult | 'stale'> {
    const schedule = { ...result.schedule, plannedAt: clock.now() }
    return frontier.settle(lease, { ...result, schedule })
  }

  async function voidImpossiblePlans(): Promise<void> {
    if (isClockWrong()) return
    const count = await frontier.voidImpossiblePlans(clock.now())
    if (count > 0) events.plansVoided?.({ count })
  }

  /** A visit that was stopped leaves no trace. One that threw is a bug, or a store that cannot write: not at once again. */
  async function letGo(leased: LeasedVisit, { lease, abort }: Held, error: unknown): Promise<void> {
    // A lease that cannot be given back runs out.
    if (abort.signal.aborted) return frontier.release(lease).catch(() => {})
    events.crashed?.({ channel: leased.channel.username, error })
    const result = afterCrash(leased, { at: clock.now(), random: options.random() })
    await settle(lease, result).catch(() => clock.sleep(STORE_DOWN_MS))
  }

  async function finish(
    { channel }: LeasedVisit,
    lease: Lease,
    end: VisitEnd,
  ): Promise<ReadingResult | 'stale'> {
    switch (end.kind) {
      case 'read': {
        const written = await settle(lease, end.result)
        if (written === 'stale') return written
        const sightings = sightingsOf(channel, end.fresh, clock.now())
        if (sightings.length > 0) await frontier.addSightings(sightings)
        return written
      }
      case 'failed':
        if (end.isSoftThrottle && softSigns.note(lease.channelId, clock.now())) {
          await options.politeness.complain({ retryAfterMs: null })
        }
        return settle(lease, end.result)
      case 'doubted':
        return settle(lease, end.result)
      case 'opted_out':
        // First whose page it is, so that the id it shows is registered, and no other.
        await archive.record(end.reading)
        await store.removals.removeChannel(nameOf(end.reading, channel), OPTED_OUT, clock.now())
        return NOTHING_WRITTEN
      case 'other_channel': {
        const written = await archive.record(end.reading)
        await frontier.release(lease)
        return written
      }
      case 'lease_lost':
        return 'stale'
    }
  }

  /** Keeps the leases of visits under way, and stops a visit whose lease was lost. */
  async function keepLeases(): Promise<void> {
    const visits = [...active.values()]
    if (visits.length === 0) return
    const kept = await frontier.renewAll(
      visits.map(({ lease }) => lease),
      LEASE_MS,
    )
    for (const held of visits) {
      const lease = kept.find(({ channelId }) => channelId === held.lease.channelId)
      if (lease) held.lease = lease
      else held.abort.abort(new Error('the lease was lost'))
    }
  }

  async function lease(free: number): Promise<readonly LeasedVisit[]> {
    if (isClockWrong() && clock.elapsed() - wrongSince < WRONG_CLOCK_MS) return []
    const isOneOnly = breaker.isHalfOpen() || isClockWrong()
    const limit = isOneOnly ? Math.min(free, 1 - active.size) : free
    if (limit <= 0 || breaker.isOpen()) return []
    const due = await frontier.lease({ owner, limit, ttlMs: LEASE_MS, eager: false })
    isIdle = due.length < limit
    if (due.length > 0) return due
    // One at a time: a channel visited early must not stand before one that falls due meanwhile.
    return frontier.lease({ owner, limit: 1, ttlMs: LEASE_MS, eager: true })
  }

  async function leaseOrWait(signal: AbortSignal): Promise<readonly LeasedVisit[]> {
    try {
      await pricer.refresh()
      return await lease(concurrency - active.size)
    } catch (error) {
      events.crashed?.({ channel: '', error })
      await clock.sleep(STORE_DOWN_MS, signal).catch(() => {})
      return []
    }
  }

  async function crawl(signal: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>()
    try {
      while (!signal.aborted) {
        const leased = await leaseOrWait(signal)
        for (const each of leased) {
          const done: Promise<void> = runVisit(each, signal).finally(() => running.delete(done))
          running.add(done)
        }
        if (leased.length > 0 && active.size < concurrency) continue
        const woken = new AbortController()
        const nap = clock.sleep(IDLE_MS, AbortSignal.any([signal, woken.signal])).catch(() => {})
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
    const grace = clock.sleep(options.drainMs ?? DRAIN_MS, enough.signal).catch(() => {})
    await Promise.race([drained, grace])
    enough.abort()
    for (const { abort } of active.values()) abort.abort(new Error('the crawler stops'))
    await drained
  }

  async function discover(signal: AbortSignal): Promise<void> {
    if (options.autoIndex !== 'discover' || isClockWrong()) return
    const mayUseReserve = () => takeReserve(false)
    const onDecided = events.candidateDecided?.bind(events)
    await admitCandidates({ store, source, clock, mayUseReserve, onDecided }, signal)
  }

  /** Does something now and then; what it throws is told and does not end it. */
  async function every(ms: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock
        .sleep(ms, signal)
        .then(work)
        .catch((error: unknown) => {
          if (!signal.aborted) events.crashed?.({ channel: '', error })
        })
    }
  }

  return {
    async run(signal) {
      const freed = (await frontier.voidDead?.(owner)) ?? 0
      if (freed > 0) events.leasesFreed?.({ count: freed })
      await voidImpossiblePlans().catch((error: unknown) =>
        events.crashed?.({ channel: '', error }),
      )
      const stop = new AbortController()
      const either = AbortSignal.any([signal, stop.signal])
      const beside = [
        // Leases are kept until the last visit has ended, discovery only until it is time to stop.
        every(HEARTBEAT_MS, keepLeases, stop.signal),
        every(CHECK_PLANS_MS, voidImpossiblePlans, either),
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

type Checkpoint = Parameters<typeof visit>[1]['checkpoint']

function nameOf({ profile }: Reading, channel: Channel): string {
  return profile?.username ?? channel.username
}

const OPTED_OUT = 'asked for in the channel’s description'

/** Failures that say more about the platform, or about our parser, than about the channel. */
function isSystemic(end: VisitEnd): boolean {
  if (end.kind !== 'failed') return false
  return end.outcome.kind === 'unreachable' || end.outcome.kind === 'broken'
}
