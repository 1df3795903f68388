import type { PostRef } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'
import type { SinkKind } from '../model/watch.ts'
import type { EventKind } from './events.ts'

/**
 * The state of watches: how far the event log was read, which posts were told, and which deliveries wait to be sent. It holds
 * no text: a message is composed from the archive when it is sent, so that nothing removed in the meantime is told.
 */
export interface Deliveries {
  /** The last event that was read; null before the first `advance`. */
  position(): Promise<number | null>
  /**
   * Moves the position, records what was told and queues what is to be sent, in one transaction. False, with nothing written,
   * when the position is no longer `from` because another process has read on, or when watches changed after `revision`, so
   * that the events have to be matched again.
   */
  advance(step: WatchStep): Promise<boolean>
  /** Which watches have told of these posts. */
  toldBy(posts: readonly PostRef[]): Promise<readonly (PostRef & { readonly watchId: number })[]>
  /** Those of the given pairs whose watch has already told a post of the story. */
  toldStories(pairs: readonly StoryOfWatch[]): Promise<readonly StoryOfWatch[]>
  /** What a watch told last, newest first. */
  lastTold(watchId: number, limit: number): Promise<readonly (PostRef & { readonly at: number })[]>

  /**
   * Leases the delivery that has been due longest, among sinks that nobody holds. Its sink is held for `ttlMs`, so that a sink
   * is sent one delivery at a time.
   */
  lease(ttlMs: number): Promise<Delivery | undefined>
  /**
   * Records the outcome. False, with nothing changed, when the delivery was leased to another sender meanwhile or is gone. A
   * sink is failing from its first failure to its next success. A sink that another sender holds by now, for another delivery, stays held.
   */
  settle(delivery: LeasedDelivery, outcome: Outcome): Promise<boolean>

  overview(): Promise<DeliveryOverview>
  /** Dead letters, oldest first. */
  dead(limit: number): Promise<readonly DeadLetter[]>
  /** Makes dead letters due again: those of a watch, or all when null. Resolves to how many. */
  resend(watchId: number | null): Promise<number>
  /** Forgets posts told, letters that died, and watches removed before then. */
  expire(before: number): Promise<void>
}

export interface WatchStep {
  readonly from: number | null
  readonly to: number
  /** The revision of the watches against which the events were matched. */
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
  /** Whether it joins a delivery that waits for the same sink and moment, up to `MAX_TOGETHER` events. */
  readonly together: boolean
}

/** What happened to a post, without its text. */
export interface WatchEvent extends PostRef {
  readonly kind: EventKind
  /** Its number in the event log. */
  readonly seq: number
  readonly at: number
}

export interface Delivery {
  readonly id: number
  readonly watchId: number
  readonly sink: SinkKind
  readonly events: readonly WatchEvent[]
  readonly createdAt: number
  /** Counts the leases from 1, so that a sender whose lease was lost settles nothing. */
  readonly attempt: number
  /**
   * When it was first tried, or first had to wait because its sink was failing: behind a long queue its own first attempt may
   * be days away. Starts anew when a dead letter is resent.
   */
  readonly triedSince: number
  /** Since when every attempt to its sink has failed; null if the last one did not. */
  readonly failingSince: number | null
  /** Until when its sink is held for it. */
  readonly heldUntil: number
}

export type LeasedDelivery = Pick<Delivery, 'id' | 'attempt' | 'heldUntil'>

export type Outcome =
  | { readonly kind: 'sent' }
  /** Was not tried to the end, which says nothing about the sink; it is due again at once. */
  | { readonly kind: 'back' }
  | {
      readonly kind: 'again'
      readonly dueAt: number
      /** Nothing else is sent to the sink until then. */
      readonly restUntil: number
      readonly error: string
    }
  | { readonly kind: 'dead'; readonly error: string }

export interface DeadLetter extends Omit<
  Delivery,
  'attempt' | 'triedSince' | 'failingSince' | 'heldUntil'
> {
  readonly attempts: number
  readonly diedAt: number
  readonly error: string
}

export interface DeliveryOverview {
  readonly pending: number
  readonly dead: number
}

export interface StoryOfWatch {
  readonly watchId: number
  readonly story: number
}

/**
 * No delivery is planned further ahead than this: not by a digest, nor quiet hours after it, nor a sink that asks to wait. What
 * a wrong clock has planned for later is due, and a sink that it holds for longer is free.
 */
export const FARTHEST_DELIVERY_MS = 3 * DAY_MS
/** At most this many events go into one delivery. */
export const MAX_TOGETHER = 100
