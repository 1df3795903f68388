import type { SearchQuery } from '../model/query.ts'
import { spareTurn } from '../model/turns.ts'
import {
  predicateOf,
  standingQuery,
  type PercolatedPost,
  type StandingQuery,
} from '../search/percolator/percolator.ts'
import type { Groups } from '../store/groups.ts'
import type { EventReader } from './event-reader.ts'
import { addNews, newsOf, type News } from './news.ts'
import { createStories } from './stories.ts'

/** A client that follows a search. */
export interface Follower {
  readonly query: SearchQuery
  /** For a query that collapses: copies are reported too, as kind `copy`. */
  readonly copies: boolean
  readonly standing: StandingQuery
  satisfies(post: PercolatedPost): boolean
}

/** Throws `invalid_query` when nothing in it can be searched for. */
export function createFollower(query: SearchQuery, copies: boolean, now: number): Follower {
  const standing = standingQuery(query, now)
  return { query, copies, standing, satisfies: predicateOf(standing) }
}

/** Reads part of the log for one follower: its news, and the last event read. At the end of the log `seq` equals `after`. */
export async function readNews(
  { reader, groups }: { readonly reader: EventReader; readonly groups: Pick<Groups, 'members'> },
  follower: Follower,
  after: number,
  limit: number,
): Promise<{ readonly news: readonly News[]; readonly seq: number }> {
  const events = await reader.after(after, limit)
  const collapse = createStories(groups, reader)
  const news: News[] = []
  for (const event of events) {
    await spareTurn()
    const found = newsOf(event, follower.satisfies)
    const told = found && follower.query.collapse ? await collapse(found, follower) : found
    if (told) addNews(news, told)
  }
  return { news, seq: events.at(-1)?.seq ?? after }
}
