import { getOrMake } from '../model/get-or-make.ts'
import type { PostRef } from '../model/post.ts'
import type { PercolatedPost } from '../search/percolator/percolator.ts'
import type { Groups } from '../store/groups.ts'
import type { EventReader, ReadEvent } from './event-reader.ts'
import type { News } from './news.ts'

/** How many members of a group are looked at; the same as in a search that collapses. */
const MEMBERS = 64

/** Finds the first event in each group of posts that say the same. It caches its lookups, so make a new one for each batch. */
export function createStories(groups: Pick<Groups, 'members'>, reader: EventReader) {
  const known = new Map<number, Promise<readonly ReadEvent[]>>()
  const eventsOf = (group: number) =>
    getOrMake(known, group, async () => reader.of(await groups.members(group, MEMBERS)))

  /** The news for a follower that is told each story once; undefined when there is nothing to tell. */
  return async function collapse(
    news: News,
    { satisfies, copies }: { satisfies(post: PercolatedPost): boolean; readonly copies: boolean },
  ): Promise<News | undefined> {
    if (news.group === null) return news
    const events = await eventsOf(news.group)
    const first = events.find(
      ({ seq, after }) => seq < news.seq && after !== null && satisfies(after),
    )
    if (!first || isSame(first, news)) return news
    return news.kind === 'post' && copies ? { ...news, kind: 'copy' } : undefined
  }
}

function isSame(a: PostRef, b: PostRef): boolean {
  return a.channelId === b.channelId && a.number === b.number
}
