import { randomBytes } from 'node:crypto'
import { EVENTS_KEPT_MS, NEWS_MS, type EventKind, type PostEvent, type ToldPost } from './events.ts'
import { isOfFuture } from './future-dates.ts'

/** For adapters: how many posts are appended in one transaction. */
export const APPENDED_AT_ONCE = 250

/** What the log last had of a post. */
export type LastEvent = Pick<PostEvent, 'kind' | 'revision' | 'document'>

/** What becomes of a post in the log; undefined when there is nothing to tell. */
export function newsOf(
  post: ToldPost,
  last: LastEvent | undefined,
  now: number,
): { readonly kind: EventKind; readonly before: Uint8Array | null } | undefined {
  if (post.document === null) {
    // What nobody was told of need not be taken back.
    return last && last.kind !== 'deleted' ? { kind: 'deleted', before: last.document } : undefined
  }
  if (last?.kind === 'deleted') return { kind: 'post', before: null }
  if (last) {
    // An index that is fed anew, or by a second indexer, comes with what is known.
    return post.revision > last.revision ? { kind: 'edit', before: last.document } : undefined
  }
  const isFresh = post.publishedAt >= post.firstCapturedAt - NEWS_MS
  // One captured longer ago may have been told, and its event forgotten.
  const isUntold = post.firstCapturedAt >= now - EVENTS_KEPT_MS
  return isFresh && isUntold ? { kind: 'post', before: null } : undefined
}

/**
 * Those that are forgotten, of the oldest events in order: all before the first that is to be kept. One that cannot have happened
 * yet was dated by a clock that was ahead, and keeps nothing.
 */
export function oldestOf<T extends { readonly at: number }>(
  events: readonly T[],
  before: number,
  now: number,
): readonly T[] {
  const kept = events.findIndex(({ at }) => at >= before && !isOfFuture(at, now))
  return kept < 0 ? events : events.slice(0, kept)
}

/** The name of a new log. */
export function newLogName(): string {
  return randomBytes(4).toString('hex')
}
