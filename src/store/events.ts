import type { PostRef } from '../model/post.ts'
import { HOUR_MS } from '../model/time.ts'

/**
 * What happened to posts, in order, for those who follow a search. An indexer appends once a post is searchable, so that the
 * log never tells what a search would not find. Each event carries the post as it was then, so that every reader, however
 * late, judges the same words; it is kept for `EVENTS_KEPT_MS` and erased with a removal.
 */
export interface EventLog {
  /**
   * Appends what is news in these posts, as `event-rules.ts` says, in the order given; resolves to how many events that were.
   * The same posts again are no news, so a batch may be repeated. Who reads up to an event has read all before it.
   */
  append(posts: readonly ToldPost[]): Promise<number>
  /** Events behind this place, in order. */
  after(seq: number, limit: number): Promise<readonly PostEvent[]>
  /** All events of these posts, in order. */
  of(posts: readonly PostRef[]): Promise<readonly PostEvent[]>
  place(): Promise<LogPlace>
  /** Forgets events that happened before, at most so many at a time, the oldest first; resolves to how many. */
  prune(before: number, limit: number): Promise<number>
}

/** `post`: it became searchable. `edit`: its author changed it. `deleted`: its author took it back. */
export const EVENT_KINDS = ['post', 'edit', 'deleted'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export interface PostEvent extends PostRef {
  /** Its place in the log: 1, 2, 3, …, without a gap. */
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly revision: number
  /** The post as it then was, in bytes that the store does not look into; null when it was deleted. */
  readonly document: Uint8Array | null
  /** As it was before, of an edit or a deletion. */
  readonly before: Uint8Array | null
}

/** A post as an indexer has just made it searchable, or taken it out. */
export interface ToldPost extends PostRef {
  readonly revision: number
  readonly publishedAt: number
  readonly firstCapturedAt: number
  /** Made only when it is needed; null for a deleted post. */
  readonly document: (() => Uint8Array) | null
}

export interface LogPlace {
  /** Another for every log: a place in one says nothing about another, as after a restored backup. */
  readonly log: string
  /** The last event that was ever appended; 0 when there was none. */
  readonly last: number
  /** Events up to this one are forgotten. */
  readonly forgotten: number
}

/** How long an event can be read. */
export const EVENTS_KEPT_MS = 48 * HOUR_MS
/** Pruned a little later, so that a post whose event is gone is never taken for a new one. */
export const EVENTS_PRUNED_MS = EVENTS_KEPT_MS + HOUR_MS
/** A post that was captured later than this after its publication is history, not news. */
export const NEWS_MS = 48 * HOUR_MS
