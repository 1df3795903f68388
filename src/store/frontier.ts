import type { Channel, ChannelStatus } from '../model/channel.ts'
import type { Reading, ReadingResult } from './archive.ts'

/** Why a channel is visited: its state for the scheduling policy, which alone understands it. */
export interface Schedule {
  readonly nextVisitAt: number
  /** When it may be visited early if there is budget to spare. */
  readonly earliestVisitAt: number
  readonly lastVisitAt: number | null
  /** Decayed count of posts seen and the exposure they were seen in (days), slow and fast. */
  readonly seen: number
  readonly exposureDays: number
  readonly seenFast: number
  readonly exposureFastDays: number
  /** Consecutive visits that failed. */
  readonly fails: number
  /** Kind of the last outcome that was no page. */
  readonly lastFailure: string | null
  /** How much callers asked for it lately: search hits and live reads, decayed. */
  readonly demand: number
  /** Newest number archived with nothing missing below it, down to `walkedTo`, but the gaps on record; null before the first visit. */
  readonly newestNumber: number | null
  /** How far down the channel was walked; 1: to its first post. Null where nobody knows. What lies below came from elsewhere. */
  readonly walkedTo: number | null
  /** When the last 7 days were last read again. */
  readonly refreshedAt: number | null
  /** What was seen and has to be seen again before it is believed, and when it first was; null when nothing. */
  readonly doubt: string | null
  readonly doubtedAt: number | null
  /** When `nextVisitAt` was decided; null where nobody noted it. */
  readonly plannedAt: number | null
}

/** A channel nobody has visited yet. */
export function newSchedule(at: number): Schedule {
  return {
    nextVisitAt: at,
    earliestVisitAt: at,
    lastVisitAt: null,
    seen: 0,
    exposureDays: 0,
    seenFast: 0,
    exposureFastDays: 0,
    fails: 0,
    lastFailure: null,
    demand: 0,
    newestNumber: null,
    walkedTo: null,
    refreshedAt: null,
    doubt: null,
    doubtedAt: null,
    plannedAt: at,
  }
}

/** A stretch of a channel's history: posts numbered below `before`, down to `downTo`. */
export interface Stretch {
  readonly before: number
  /** Inclusive lower end; 1 is the first post. */
  readonly downTo: number
}

/** What is still to be read. */
export interface Gap extends Stretch {
  readonly id: number
  readonly channelId: number
  /** `gap`: a walk was cut. `backfill`: the operator asked. `refresh`: read again for edits and deletions. */
  readonly kind: 'gap' | 'backfill' | 'refresh'
  /** Stop at posts older than this. */
  readonly until: number | null
}

/** The right to visit one channel until it runs out; the token fences off whoever held it before. */
export interface Lease {
  readonly channelId: number
  readonly owner: string
  readonly token: number
  readonly until: number
}

export interface LeasedVisit {
  readonly lease: Lease
  readonly channel: Channel
  readonly schedule: Schedule
  readonly gaps: readonly Gap[]
}

/** How a visit ended. Everything in it is written in one transaction, or nothing is. */
export interface VisitResult {
  /** Null when nothing was read. */
  readonly reading: Reading | null
  /** But for `walkedTo`, which follows from `walked`. */
  readonly schedule: Schedule
  readonly status: ChannelStatus
  readonly reason: string | null
  /** Replaces the channel's gaps. */
  readonly gaps: readonly Omit<Gap, 'id' | 'channelId'>[]
  /** What was read page by page with nothing left out, from the newest page on. */
  readonly walked: readonly Stretch[]
}

export interface Candidate {
  readonly name: string
  readonly score: number
  /** How many different channels named it. */
  readonly sources: number
  readonly firstSeenAt: number
}

/** One channel naming another. */
export interface Sighting {
  readonly name: string
  readonly sourceId: number
  readonly how: 'forward' | 'mention' | 'link'
  readonly at: number
}

export interface FrontierOverview {
  readonly due: number
  /** Due for longer than a tenth of its interval or a minute, whichever is more. */
  readonly late: number
  readonly oldestDueAt: number | null
  readonly leased: number
  /** Planned by a clock that was ahead of now; see `voidImpossiblePlans`. */
  readonly misplanned: number
  readonly gaps: Readonly<Record<Gap['kind'], number>>
  readonly failures: Readonly<Record<string, number>>
}

/** Names that posts brought, weighed until they are probed. */
export interface CandidateKeeping {
  addSightings(sightings: readonly Sighting[]): Promise<void>
  /** Best first: named by at least `minSources` channels, not yet decided, not known, not removed. */
  candidates(options: {
    readonly limit: number
    readonly minSources: number
    readonly now: number
  }): Promise<readonly Candidate[]>
  /** How many are neither decided nor known. Looks at each: for the curious, not for a service at work. */
  countCandidates(now: number): Promise<number>
  /** Keeps a name out of `candidates` until then. */
  decideCandidate(name: string, until: number): Promise<void>
  /** Forgets up to `limit` names that have not been seen for long, with their sightings, and tells how many. Decisions last. */
  forgetCandidates(limit: number, now: number): Promise<number>
}

/** Which channel is due, who is visiting it, what is still to be read. */
export interface Frontier extends CandidateKeeping {
  /**
   * Leases up to `limit` channels that are due by the store's clock and leased by nobody, longest overdue first. With `eager`, also channels
   * that may be visited early. Removed channels are never given out, nor are imported ones that nobody asked for.
   */
  lease(options: {
    readonly owner: string
    readonly limit: number
    readonly ttlMs: number
    readonly eager: boolean
  }): Promise<readonly LeasedVisit[]>
  /** Holds leases until `ttlMs` from now; resolves to those that were not lost, in the order given. */
  renewAll(leases: readonly Lease[], ttlMs: number): Promise<readonly Lease[]>
  /** Writes what a visit brought and gives the lease back. `stale`: the lease was lost and nothing was written. */
  settle(lease: Lease, result: VisitResult): Promise<ReadingResult | 'stale'>
  /** Writes part of a long walk, keeping the lease: reading, gaps and what was walked as they now stand. */
  checkpoint(
    lease: Lease,
    part: Pick<VisitResult, 'gaps' | 'walked'> & { readonly reading: Reading },
  ): Promise<ReadingResult | 'stale'>
  /** Gives the lease back and changes nothing else. */
  release(lease: Lease): Promise<void>
  /**
   * Voids the leases of processes that are known to be dead, and tells how many; `self` is not. Only where the store can
   * know, because one host has all its processes; elsewhere their leases run out.
   */
  voidDead?(self: string): Promise<number>

  schedule(channelId: number): Promise<Schedule | undefined>
  /** Makes the channel due by then, one that was only imported too; a visit that is under way does not count. */
  makeDue(channelId: number, at: number): Promise<void>
  /**
   * Makes due now what a clock that was wrong has planned: in the future, further ahead than any plan goes, or visited
   * later than now; and voids leases that nobody can mean. Resolves to how many plans there were.
   */
  voidImpossiblePlans(now: number): Promise<number>
  /** Adds to the demand of channels that callers asked for. */
  addDemand(
    demand: readonly { readonly channelId: number; readonly amount: number }[],
  ): Promise<void>
  /** A random sample of schedules with their channels' subscribers, and how many there are in all; for the price. */
  sample(limit: number): Promise<{
    readonly total: number
    readonly schedules: readonly (Schedule & { readonly subscribers: number | null })[]
  }>

  addGap(gap: Omit<Gap, 'id'>): Promise<void>
  /** Channel by channel, those of the newest posts first. */
  gaps(...channelIds: readonly number[]): Promise<readonly Gap[]>

  /** Of many channels it may be half a minute behind. */
  overview(now: number): Promise<FrontierOverview>
}
