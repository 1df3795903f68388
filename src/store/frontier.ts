import type { Channel, ChannelStatus } from '../model/channel.ts'
import type { Reading, ReadingResult } from './archive.ts'

/** The state from which the scheduling policy decides when to visit a channel. Only the policy interprets it. */
export interface Schedule {
  readonly nextVisitAt: number
  /** From when it may be visited early, if there is budget to spare. */
  readonly earliestVisitAt: number
  readonly lastVisitAt: number | null
  /** Decayed count of posts seen, and the days of exposure in which they were seen; one pair decays slowly, one fast. */
  readonly seen: number
  readonly exposureDays: number
  readonly seenFast: number
  readonly exposureFastDays: number
  /** Consecutive visits that failed. */
  readonly fails: number
  /** The kind of the last outcome that was not a page. */
  readonly lastFailure: string | null
  /** Recent interest of callers: search hits and live reads, decayed. */
  readonly demand: number
  /** The newest number archived. Down to `walkedTo` only the recorded gaps are missing. Null before the first visit. */
  readonly newestNumber: number | null
  /** How far down the channel was walked: 1 is its first post, null is unknown. Posts below it came from elsewhere. */
  readonly walkedTo: number | null
  /** When the posts of the last 7 days were last read again. */
  readonly refreshedAt: number | null
  /** An observation that has to be repeated before it is believed, and when it was first made; null when there is none. */
  readonly doubt: string | null
  readonly doubtedAt: number | null
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
  }
}

/** A stretch of a channel's history: posts numbered below `before`, down to `downTo`. */
export interface Stretch {
  readonly before: number
  /** Inclusive lower end; 1 is the first post. */
  readonly downTo: number
}

/** A stretch that is still to be read. */
export interface Gap extends Stretch {
  readonly id: number
  readonly channelId: number
  /** `gap`: a walk was cut short. `backfill`: the operator asked for it. `refresh`: read again to find edits and deletions. */
  readonly kind: 'gap' | 'backfill' | 'refresh'
  /** Stop at posts older than this. */
  readonly until: number | null
}

/** The right to visit one channel until `until`; the token fences off earlier holders. */
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

/** How a visit ended; written in one transaction. */
export interface VisitResult {
  /** Null when nothing was read. */
  readonly reading: Reading | null
  /** `walkedTo` in it is ignored: it follows from `walked`. */
  readonly schedule: Schedule
  readonly status: ChannelStatus
  readonly reason: string | null
  /** Replaces the channel's gaps. */
  readonly gaps: readonly Omit<Gap, 'id' | 'channelId'>[]
  /** What was read page by page without leaving anything out, from the newest page downwards. */
  readonly walked: readonly Stretch[]
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
  /** Overdue by more than a tenth of the visit interval or a minute, whichever is longer. */
  readonly late: number
  readonly oldestDueAt: number | null
  readonly leased: number
  readonly gaps: Readonly<Record<Gap['kind'], number>>
  readonly failures: Readonly<Record<string, number>>
}

/** Names of unknown channels found in posts, scored until they are probed. */
export interface CandidateKeeping {
  addSightings(sightings: readonly Sighting[]): Promise<void>
  /** Their names, best first: named by at least `minSources` channels, not yet decided, not known, not removed. */
  candidates(options: {
    readonly limit: number
    readonly minSources: number
    readonly now: number
  }): Promise<readonly string[]>
  /** How many candidates are neither decided nor known. Reads each of them: for commands, not for a running service. */
  countCandidates(now: number): Promise<number>
  /** Keeps a name out of `candidates` until then. */
  decideCandidate(name: string, until: number): Promise<void>
  /** Forgets up to `limit` names not seen for long, with their sightings; resolves to how many. Decisions are kept. */
  forgetCandidates(limit: number, now: number): Promise<number>
}

/** Which channel is due, who is visiting it, what is still to be read. */
export interface Frontier extends CandidateKeeping {
  /**
   * Leases up to `limit` channels that are due by the store's clock and not leased, longest overdue first; also those planned
   * further ahead than any policy plans, as by a wrong clock. With `eager`, also channels that may be visited early. Removed channels are never leased, nor are imported ones that nobody asked for.
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
  /** Writes part of a long walk and keeps the lease: the reading, the gaps and what was walked so far. */
  checkpoint(
    lease: Lease,
    part: Pick<VisitResult, 'gaps' | 'walked'> & { readonly reading: Reading },
  ): Promise<ReadingResult | 'stale'>
  /** Gives the lease back and changes nothing else. */
  release(lease: Lease): Promise<void>
  /**
   * Voids the leases of processes that are known to be dead, `self` excepted; resolves to how many. Exists only where all
   * processes run on one host, so that the store can know; elsewhere the leases of dead processes run out.
   */
  releaseDead?(self: string): Promise<number>

  schedule(channelId: number): Promise<Schedule | undefined>
  /** Makes the channel due by then, even one that was only imported. A visit already under way does not satisfy it. */
  makeDue(channelId: number, at: number): Promise<void>
  /** Adds to the demand of channels that callers asked for. */
  addDemand(
    demand: readonly { readonly channelId: number; readonly amount: number }[],
  ): Promise<void>
  /** A random sample of schedules with their channels' subscribers, and the total number; for computing the shadow price. */
  sample(limit: number): Promise<{
    readonly total: number
    readonly schedules: readonly (Schedule & { readonly subscribers: number | null })[]
  }>

  addGap(gap: Omit<Gap, 'id'>): Promise<void>
  /** Grouped by channel, the gap with the newest posts first. */
  gaps(...channelIds: readonly number[]): Promise<readonly Gap[]>

  /** With many channels it may be half a minute stale. */
  overview(now: number): Promise<FrontierOverview>
}
