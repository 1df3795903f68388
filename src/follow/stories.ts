import type { PostRef } from '../model/post.ts'
import type { JudgedPost } from '../search/percolator/percolator.ts'
import type { Groups } from '../store/groups.ts'
import type { EventReader, ReadEvent } from './event-reader.ts'
import type { News } from './news.ts'

/** Members of a group that are looked at, as a search does that collapses. */
const MEMBERS = 64

/** Who was told first of those that say the same; remembers what it looked up, so make one for each batch. */
export function createStories(groups: Pick<Groups, 'members'>, reader: EventReader) {
  const known = new Map<number, Promise<readonly ReadEvent[]>>()
  const eventsOf = (group: number) => {
    let events = known.get(group)
    if (!events) {
      events = groups.members(group, MEMBERS).then((members) => reader.of(members))
      known.set(group, events)
    }
    return events
  }

  /** The news as one sees them who is told every story once; undefined when that is nothing. */
  return async function collapse(
    news: News,
    { satisfies, copies }: { satisfies(post: JudgedPost): boolean; readonly copies: boolean },
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
