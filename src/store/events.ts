import type { PostRef } from '../model/post.ts'
import { HOUR_MS } from '../model/time.ts'

/**
 * What happened to posts, in order, for followers of a search. The indexer appends an event once a post is searchable, so that
 * the log never announces what a search would not find. Each event carries the post as it was then, so that every reader,
 * however late, matches the same text. Events are kept for `EVENTS_KEPT_MS` and erased when their post is removed.
 */
export interface EventLog {
  /**
   * Appends an event for each of these posts that is news by `event-rules.ts`, in the order given; resolves to how many were
   * appended. The same posts again are no news, so a batch may be repeated. Events become visible in the order of their
   * numbers: a reader that has seen one has seen all before it.
   */
  append(posts: readonly LoggedPost[]): Promise<number>
  /** The events after this number, in order. */
  after(seq: number, limit: number): Promise<readonly PostEvent[]>
  /** All events of these posts, in order. */
  of(posts: readonly PostRef[]): Promise<readonly PostEvent[]>
  bounds(): Promise<LogBounds>
  /** Gives the log another name, for a restored store that reuses numbers: event ids from before become unknown. */
  rename(): Promise<void>
  /** Forgets events that happened before then, oldest first and at most `limit`; resolves to how many. */
  prune(before: number, limit: number): Promise<number>
}

/** `post`: it became searchable. `edit`: its author changed it. `deleted`: its author deleted it. */
export const EVENT_KINDS = ['post', 'edit', 'deleted'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export interface PostEvent extends PostRef {
  /** Its number in the log: 1, 2, 3, … without gaps. */
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly revision: number
  /** The post as it was then, in bytes that the store does not interpret; null for a deletion. */
  readonly document: Uint8Array | null
  /** For an edit or a deletion, the post as it was before; null for a new post. */
  readonly before: Uint8Array | null
}

/** A post that an indexer has just made searchable or taken out of the index. */
export interface LoggedPost extends PostRef {
  readonly revision: number
  readonly publishedAt: number
  readonly firstCapturedAt: number
  /** Called only when the document is needed; null for a deleted post. */
  readonly document: (() => Uint8Array) | null
}

export interface LogBounds {
  /** Identifies the log. A number of one log means nothing in another, such as the one after a backup was restored. */
  readonly log: string
  /** The last event that was ever appended; 0 when there was none. */
  readonly last: number
  /** Events up to and including this number are forgotten. */
  readonly forgotten: number
}

/** An event can be read for at least this long. */
export const EVENTS_KEPT_MS = 48 * HOUR_MS
/** Events are pruned a little later, so that a post whose event is gone is never taken for a new one. */
export const EVENTS_PRUNED_MS = EVENTS_KEPT_MS + HOUR_MS
/** A post first captured longer than this after its publication is history, not news. */
export const NEWS_MS = 48 * HOUR_MS
