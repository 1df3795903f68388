import type { PostRef } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { SinkKind } from '../model/watch.ts'
import type { EventKind } from './events.ts'

/**
 * What watches have to tell: how far the log of events was read, what was told, and what waits to be sent. It holds no text:
 * what is sent is read from the archive at that moment, so that nothing is told of what was removed meanwhile.
 */
export interface Deliveries {
  /** The last event that was read; null before the first time. */
  position(): Promise<number | null>
  /**
   * Moves the position, remembers what was told and queues what is to be sent, all or nothing. False, and nothing is written,
   * when the position is another than `from`: somebody else has read on; or when watches changed after `revision`, so that the
   * events have to be held against others.
   */
  tell(step: Telling): Promise<boolean>
  /** Which watches have told of these posts. */
  toldBy(posts: readonly PostRef[]): Promise<readonly (PostRef & { readonly watchId: number })[]>
  /** Those of these pairs of a watch and a story of which the watch has told a post. */
  toldStories(pairs: readonly StoryOfWatch[]): Promise<readonly StoryOfWatch[]>
  /** What a watch told last, newest first. */
  lastTold(watchId: number, limit: number): Promise<readonly (PostRef & { readonly at: number })[]>

  /** The delivery due longest, of a sink that nobody holds; the sink is held for `ttlMs`, so that it gets one at a time. */
  lease(ttlMs: number): Promise<Delivery | undefined>
  /** What became of it. False when it was leased to another meanwhile, or is gone: then nothing changes. */
  settle(delivery: Pick<Delivery, 'id' | 'attempt'>, outcome: Outcome): Promise<boolean>

  overview(): Promise<DeliveryOverview>
  /** Dead letters, oldest first. */
  dead(limit: number): Promise<readonly DeadLetter[]>
  /** Makes dead letters due again, all or those of a watch. Resolves to how many. */
  resend(watchId: number | null): Promise<number>
  /** Makes due what a clock has planned that was ahead, and lets go of the sinks that it held. */
  voidImpossiblePlans(now: number): Promise<void>
  /** Forgets what was told, died or was removed before then. */
  expire(before: number): Promise<void>
}

export interface Telling {
  readonly from: number | null
  readonly to: number
  /** Of the watches that the events were held against. */
  readonly revision: number
  readonly told: readonly (PostRef & {
    readonly watchId: number
    readonly story: number | null
    readonly at: number
  })[]
  readonly queued: readonly Queued[]
}

export interface Queued {
  readonly watchId: number
  readonly sink: SinkKind
  readonly event: WatchEvent
  readonly at: number
  readonly dueAt: number
  /** Joins what waits for the same sink and moment, up to `MAX_TOGETHER`. */
  readonly together: boolean
}

/** What happened, without its words. */
export interface WatchEvent extends PostRef {
  readonly kind: EventKind
  /** Its number in the log. */
  readonly seq: number
  readonly at: number
}

export interface Delivery {
  readonly id: number
  readonly watchId: number
  readonly sink: SinkKind
  readonly events: readonly WatchEvent[]
  readonly createdAt: number
  /** Counts the leases, from 1, so that a sender who wakes up late settles nothing. */
  readonly attempt: number
  /** When it was first tried, or first again after it was dead. */
  readonly triedSince: number
}

export type Outcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'again'
      readonly dueAt: number
      /** Until then nothing else is sent to the sink either. */
      readonly restUntil: number
      readonly error: string
    }
  | { readonly kind: 'dead'; readonly error: string }

export interface DeadLetter extends Omit<Delivery, 'attempt' | 'triedSince'> {
  readonly attempts: number
  readonly diedAt: number
  readonly error: string
}

export interface DeliveryOverview {
  readonly pending: number
  readonly dead: number
  /** Since when the longest waiting is due; null when none is. */
  readonly dueSince: number | null
}

export interface StoryOfWatch {
  readonly watchId: number
  readonly story: number
}

/** Further ahead than a digest, the quiet hours after it or a sink that asks for patience put a delivery. */
export const FARTHEST_DELIVERY_MS = 3 * DAY_MS
/** So many events go into one delivery. */
export const MAX_TOGETHER = 100
