/** Runs the visit of a leased channel up to its settlement: the result is written however the visit ended. */
import type { Clock } from '../model/clock.ts'
import { SECOND_MS } from '../model/time.ts'
import { NOTHING_WRITTEN, type ReadingResult } from '../store/archive.ts'
import type { Gap, Lease, LeasedVisit } from '../store/frontier.ts'
import { findByPlatformId } from '../store/find-by-platform-id.ts'
import { keptSince, type Store } from '../store/store.ts'
import type { Source } from '../telegram/source.ts'
import type { Breaker } from './breaker.ts'
import { describeVisit, type CrawlEvents } from './crawl-events.ts'
import { sightingsOf } from './discover.ts'
import { afterCrash } from './failures.ts'
import { createOtherChannels } from './other-channels.ts'
import type { Pricing } from './policy.ts'
import type { Politeness } from './politeness.ts'
import { createHiddenPosts } from './reading-builder.ts'
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
  /** Then nothing is written. */
  readonly isClockWrong: () => boolean
}

interface VisitRunner {
  /** How many visits are under way. */
  readonly active: number
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
  const others = createOtherChannels({ archive, clock })
  const active = new Map<number, ActiveVisit>()

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
        secondLookMs: () => others.secondLookMs(leased.channel.id),
        keptSince: keptSince(store.retention, startedAt),
        random: options.random,
        pricing: options.pricing(),
        mayUseReserve: options.mayUseReserve,
        checkpoint: async (part) =>
          !isClockWrong() && (await frontier.checkpoint(held.lease, part)) !== 'stale',
      },
      held.abort.signal,
    )
    if (isClockWrong()) return frontier.release(held.lease)
    const written = await write(leased, held.lease, end)
    if (end.kind === 'read') others.noteRead(leased.channel.id)
    options.breaker.note(isSystemic(end))
    events.visitFinished(describeVisit(leased, end, written, { startedAt, now: clock.now() }))
  }

  /** Writes the result of a visit, depending on how it ended. */
  async function write(
    { channel }: LeasedVisit,
    lease: Lease,
    end: VisitEnd,
  ): Promise<ReadingResult | 'stale'> {
    if (end.kind === 'lease_lost') return 'stale'
    if (end.kind === 'opted_out') {
      // Recorded first, to find out whose page it is: the id it shows must be registered, and no other.
      await archive.record(end.reading)
      const name = end.reading.profile?.username ?? channel.username
      await store.removals.removeChannel(name, OPTED_OUT, clock.now())
      return NOTHING_WRITTEN
    }
    const isSlowed = end.kind === 'failed' && end.isSoftThrottle && others.noteEmpty(channel.id)
    if (isSlowed) await options.politeness.backOff({ retryAfterMs: null })
    const written = await frontier.settle(lease, end.result)
    if (written === 'stale' || end.kind !== 'read') return written
    const sightings = sightingsOf(channel, end.fresh, clock.now())
    if (sightings.length > 0) await frontier.addSightings(sightings)
    return written
  }

  /**
   * A visit that was stopped leaves no trace, nor does one of a wrong clock. One that threw met a bug, or a store that cannot
   * write: it is retried later.
   */
  async function abandon(
    leased: LeasedVisit,
    { lease, abort }: ActiveVisit,
    error: unknown,
  ): Promise<void> {
    // A lease that cannot be released runs out by itself.
    if (abort.signal.aborted || isClockWrong()) return frontier.release(lease).catch(() => {})
    events.crashed({ channel: leased.channel.username, error })
    const result = afterCrash(leased, { at: clock.now(), random: options.random() })
    await frontier.settle(lease, result).catch(() => clock.sleep(STORE_DOWN_MS))
  }

  return {
    get active() {
      return active.size
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
      if (visits.length === 0 || isClockWrong()) return
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

const OPTED_OUT = 'asked for in the channel’s description'

/** Failures that say more about the platform, or about our parser, than about the channel. */
function isSystemic(end: VisitEnd): boolean {
  if (end.kind !== 'failed') return false
  return end.outcome.kind === 'unreachable' || end.outcome.kind === 'broken'
}
