/** Runs the visit of a leased channel up to its settlement: the result is written however the visit ended. */
import type { Clock } from '../model/clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import { ALL_CHANNELS, NOTHING_WRITTEN, type ReadingResult } from '../store/archive.ts'
import type { Gap, Lease, LeasedVisit, VisitResult } from '../store/frontier.ts'
import { findByPlatformId } from '../store/find-by-platform-id.ts'
import { keptSince, type Store } from '../store/store.ts'
import type { Source } from '../telegram/source.ts'
import type { Breaker } from './breaker.ts'
import { describeVisit, type CrawlEvents } from './crawl-events.ts'
import { sightingsOf } from './discover.ts'
import { afterCrash } from './failures.ts'
import type { Pricing } from './policy.ts'
import type { Politeness } from './politeness.ts'
import { createHiddenPosts } from './reading-builder.ts'
import { SECOND_LOOK_ALONE_MS, SECOND_LOOK_MS } from './second-look.ts'
import { visit, type VisitEnd } from './visit.ts'

/** Long enough for a slow request with its retries; short enough that the channels of a dead host are soon visited again. */
export const LEASE_MS = 60 * SECOND_MS
/** A store that cannot be written, as with a full disk, is tried again after this. */
export const STORE_DOWN_MS = 5 * SECOND_MS

interface VisitRunnerOptions {
  readonly store: Store
  readonly source: Source
  readonly politeness: Politeness
  readonly clock: Clock
  readonly breaker: Breaker
  readonly events: CrawlEvents
  readonly random: () => number
  readonly pricing: () => Pricing
  readonly mayUseReserve: (purpose: Gap['kind']) => Promise<boolean>
  /** Whether the platform's time differs from our clock: then nothing is written. */
  readonly isClockWrong: () => boolean
}

interface VisitRunner {
  /** How many visits are under way. */
  readonly active: number
  /** When a visit last found the clock wrong, in the clock's elapsed time. */
  readonly wrongSince: number
  run(leased: LeasedVisit): Promise<void>
  /** Renews the leases of visits under way, and stops a visit whose lease was lost. */
  keepLeases(): Promise<void>
  stopAll(): void
}

interface ActiveVisit {
  lease: Lease
  readonly abort: AbortController
}

export function createVisitRunner(options: VisitRunnerOptions): VisitRunner {
  const { store, clock, events, isClockWrong } = options
  const { frontier, archive } = store
  const hidden = createHiddenPosts(clock)
  const finish = createFinish(options)
  const reads = createLastReads(clock)
  const active = new Map<number, ActiveVisit>()
  let wrongSince = -Infinity

  /**
   * A platform that shows us no other channel as we know it is not believed that this one has no posts left, or that its name
   * belongs to another.
   */
  async function secondLookMs(channelId: number): Promise<number | null> {
    if (reads.isOtherRead(channelId)) return SECOND_LOOK_MS
    const readable = { ...ALL_CHANNELS, status: ['active', 'dormant'] as const, limit: 2 }
    const { items } = await archive.channels(readable)
    return items.some(({ id }) => id !== channelId) ? null : SECOND_LOOK_ALONE_MS
  }

  async function visitLeased(leased: LeasedVisit, held: ActiveVisit): Promise<void> {
    const startedAt = clock.now()
    const end = await visit(
      leased,
      {
        source: options.source,
        archive,
        isKnownId: async (id) => (await findByPlatformId(store, id)) !== undefined,
        clock,
        hidden,
        secondLookMs: () => secondLookMs(leased.channel.id),
        keptSince: keptSince(store.retention, startedAt),
        random: options.random,
        pricing: options.pricing(),
        mayUseReserve: options.mayUseReserve,
        checkpoint: async (part) =>
          !isClockWrong() && (await frontier.checkpoint(held.lease, part)) !== 'stale',
      },
      held.abort.signal,
    )
    if (isClockWrong()) {
      wrongSince = clock.elapsed()
      await frontier.release(held.lease)
      return
    }
    const written = await finish(leased, held.lease, end)
    if (end.kind === 'read') reads.note(leased.channel.id)
    options.breaker.note(isSystemic(end))
    events.visitFinished(describeVisit(leased, end, written, { startedAt, now: clock.now() }))
  }

  /** A visit that was stopped leaves no trace. One that threw met a bug, or a store that cannot write: it is retried later. */
  async function abandon(
    leased: LeasedVisit,
    { lease, abort }: ActiveVisit,
    error: unknown,
  ): Promise<void> {
    // A lease that cannot be released runs out by itself.
    if (abort.signal.aborted) return frontier.release(lease).catch(() => {})
    events.crashed({ channel: leased.channel.username, error })
    const result = afterCrash(leased, { at: clock.now(), random: options.random() })
    await settle(options, lease, result).catch(() => clock.sleep(STORE_DOWN_MS))
  }

  return {
    get active() {
      return active.size
    },
    get wrongSince() {
      return wrongSince
    },
    async run(leased) {
      const held: ActiveVisit = { lease: leased.lease, abort: new AbortController() }
      const { channelId } = leased.lease
      active.set(channelId, held)
      await visitLeased(leased, held)
        .catch((error: unknown) => abandon(leased, held, error))
        .finally(() => active.delete(channelId))
    },
    async keepLeases() {
      const visits = [...active.values()]
      if (visits.length === 0) return
      const leases = visits.map(({ lease }) => lease)
      const kept = await frontier.renewAll(leases, LEASE_MS)
      for (const held of visits) {
        const lease = kept.find(({ channelId }) => channelId === held.lease.channelId)
        if (lease) held.lease = lease
        else held.abort.abort(new Error('the lease was lost'))
      }
    },
    stopAll() {
      for (const { abort } of active.values()) abort.abort(new Error('the crawler stops'))
    },
  }
}

type Settling = Pick<VisitRunnerOptions, 'store' | 'clock'>

function settle(
  { store, clock }: Settling,
  lease: Lease,
  result: VisitResult,
): Promise<ReadingResult | 'stale'> {
  const schedule = { ...result.schedule, plannedAt: clock.now() }
  return store.frontier.settle(lease, { ...result, schedule })
}

/** Writes the result of a visit, depending on how it ended. */
function createFinish(options: Settling & Pick<VisitRunnerOptions, 'politeness'>) {
  const { store, clock, politeness } = options
  const { frontier, archive } = store
  const isThrottledBy = createSoftThrottle()
  return async (
    { channel }: LeasedVisit,
    lease: Lease,
    end: VisitEnd,
  ): Promise<ReadingResult | 'stale'> => {
    if (end.kind === 'lease_lost') return 'stale'
    if (end.kind === 'opted_out') {
      // Recorded first, to find out whose page it is: the id it shows must be registered, and no other.
      await archive.record(end.reading)
      const name = end.reading.profile?.username ?? channel.username
      await store.removals.removeChannel(name, OPTED_OUT, clock.now())
      return NOTHING_WRITTEN
    }
    const isThrottled = end.kind === 'failed' && end.isSoftThrottle
    if (isThrottled && isThrottledBy(channel.id, clock.now()))
      await politeness.backOff({ retryAfterMs: null })
    const written = await settle(options, lease, end.result)
    if (written === 'stale' || end.kind !== 'read') return written
    const sightings = sightingsOf(channel, end.fresh, clock.now())
    if (sightings.length > 0) await frontier.addSightings(sightings)
    return written
  }
}

/** How long ago another channel may have been read for the platform to count as showing posts. */
const SHOWING_MS = HOUR_MS

/** Remembers when the last two channels were read. */
function createLastReads(clock: Clock) {
  const since = new Map<number, number>()
  return {
    note(channelId: number): void {
      since.delete(channelId)
      since.set(channelId, clock.elapsed())
      const [oldest] = since.keys()
      if (since.size > 2) since.delete(oldest!)
    },
    isOtherRead: (channelId: number): boolean =>
      since.entries().some(([id, at]) => id !== channelId && clock.elapsed() - at <= SHOWING_MS),
  }
}

/** How close to each other two channels have to look empty. */
const EMPTY_WITHIN_MS = 10 * MINUTE_MS

/**
 * The platform slows readers down without saying so by answering "No posts found" for channels that have some. A single
 * channel may be odd and must not stop the crawl; two within minutes are a sign of throttling. Notes a channel that looked
 * empty, and returns whether the platform seems to be throttling us.
 */
function createSoftThrottle(): (channelId: number, now: number) => boolean {
  const seen = new Map<number, number>()
  return (channelId, now) => {
    for (const [id, at] of seen) if (now - at > EMPTY_WITHIN_MS) seen.delete(id)
    seen.set(channelId, now)
    return seen.size >= 2
  }
}

const OPTED_OUT = 'asked for in the channel’s description'

/** Failures that say more about the platform, or about our parser, than about the channel. */
function isSystemic(end: VisitEnd): boolean {
  if (end.kind !== 'failed') return false
  return end.outcome.kind === 'unreachable' || end.outcome.kind === 'broken'
}
