import type { PostRef } from '../model/post.ts'
import type { PercolatedPost } from '../search/percolator/percolator.ts'
import type { EventKind } from '../store/events.ts'
import type { ReadEvent } from './event-reader.ts'

/** What an event means to a follower of a search. */
export interface News extends PostRef {
  readonly seq: number
  readonly at: number
  /** `copy`: another post that says the same was reported before. `lost`: an event that cannot be read, told to every follower. */
  readonly kind: EventKind | 'copy' | 'lost'
  /** False for a deletion, and for an edit after which the post no longer matches. */
  readonly matches: boolean
  /** The group of posts that say the same. */
  readonly group: number | null
}

/** Undefined when the search finds the post neither after the event nor before it. */
export function newsOf(
  event: ReadEvent,
  satisfies: (post: PercolatedPost) => boolean,
): News | undefined {
  const { seq, at, channelId, number, after, before, isLost } = event
  if (isLost) return { seq, at, channelId, number, kind: 'lost', matches: false, group: null }
  const isFound = after !== null && satisfies(after)
  const wasFound = before !== null && satisfies(before)
  if (!isFound && !wasFound) return undefined
  const kind = !wasFound ? 'post' : after === null ? 'deleted' : 'edit'
  const group = (after ?? before)!.document.group
  return { seq, at, channelId, number, kind, matches: isFound, group }
}

/** Adds to what one follower is told, in order. Events lost in a row are told as one: a damaged log may have thousands. */
export function addNews(all: News[], news: News): void {
  if (news.kind === 'lost' && all.at(-1)?.kind === 'lost') all.pop()
  all.push(news)
}
