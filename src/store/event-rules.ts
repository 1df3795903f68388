import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../model/time.ts'
import {
  EVENTS_KEPT_MS,
  NEWS_MS,
  type EventKind,
  type PostEvent,
  type LoggedPost,
} from './events.ts'

/** For adapters: how many posts are appended in one transaction. */
export const APPENDED_AT_ONCE = 250

/** The last event that the log has for a post. */
export type LastEvent = Pick<PostEvent, 'kind' | 'revision' | 'document'>

/** The event to append for a post; undefined when nothing is news. */
export function eventToAppend(
  post: LoggedPost,
  last: LastEvent | undefined,
  now: number,
): { readonly kind: EventKind; readonly before: Uint8Array | null } | undefined {
  if (post.document === null) {
    // A post that was never logged needs no deletion event.
    return last && last.kind !== 'deleted' ? { kind: 'deleted', before: last.document } : undefined
  }
  if (last?.kind === 'deleted') return { kind: 'post', before: null }
  if (last) {
    // A rebuilt index, or a second indexer, brings posts that have been logged already.
    return post.revision > last.revision ? { kind: 'edit', before: last.document } : undefined
  }
  const isFresh = post.publishedAt >= post.firstCapturedAt - NEWS_MS
  // A post captured longer ago may have been logged by an event that is forgotten by now.
  const isUnlogged = post.firstCapturedAt >= now - EVENTS_KEPT_MS
  return isFresh && isUnlogged ? { kind: 'post', before: null } : undefined
}

/**
 * Which of the oldest events, given in order, are forgotten: all before the first that must be kept. An event dated in the
 * future was dated by a clock that was ahead, and does not keep those before it.
 */
export function prunableEvents<T extends { readonly at: number }>(
  events: readonly T[],
  before: number,
  now: number,
): readonly T[] {
  const kept = events.findIndex(({ at }) => at >= before && at <= now + DAY_MS)
  return kept < 0 ? events : events.slice(0, kept)
}

/** The name of a new log. */
export function newLogName(): string {
  return randomBytes(4).toString('hex')
}
