import { createCache } from '../model/cache.ts'
import type { PostRef } from '../model/post.ts'
import { spareTurn } from '../model/turns.ts'
import { readPercolatedPost, type PercolatedPost } from '../search/percolator/percolator.ts'
import type { EventLog, PostEvent } from '../store/events.ts'

/** An event whose post is unpacked, so that it can be matched against queries. */
export interface ReadEvent extends Omit<PostEvent, 'document' | 'before'> {
  /** The post as it was then; null for a deletion. */
  readonly after: PercolatedPost | null
  readonly before: PercolatedPost | null
  /** Its bytes cannot be read, so that nobody knows which searches it concerns. It has neither `after` nor `before`. */
  readonly isLost: boolean
}

/** Reads the event log. Many followers read the same latest events, so these are unpacked once and cached. */
export interface EventReader {
  after(seq: number, limit: number): Promise<readonly ReadEvent[]>
  of(posts: readonly PostRef[]): Promise<readonly ReadEvent[]>
}

/** Cached events: about 10 MB. */
const REMEMBERED = 500

export function createEventReader(
  log: Pick<EventLog, 'after' | 'of'>,
  onLost: (event: { readonly seq: number }) => void,
): EventReader {
  const known = createCache<string, ReadEvent>({ maxEntries: REMEMBERED })
  // A log that was put back uses its numbers again, but later.
  const read = (event: PostEvent) =>
    known.getOrMake(`${event.seq} ${event.at}`, () => {
      const made = readEvent(event)
      if (made.isLost) onLost({ seq: made.seq })
      return made
    })
  const readAll = async (events: readonly PostEvent[]) => {
    const all: ReadEvent[] = []
    for (const event of events) {
      await spareTurn()
      all.push(read(event))
    }
    return all
  }
  return {
    after: async (seq, limit) => readAll(await log.after(seq, limit)),
    of: async (posts) => readAll(await log.of(posts)),
  }
}

function readEvent({ document, before, ...event }: PostEvent): ReadEvent {
  const after = document && readPercolatedPost(document)
  const earlier = before && readPercolatedPost(before)
  const isLost = after === undefined || (after === null && earlier === undefined)
  if (isLost) return { ...event, after: null, before: null, isLost }
  // After an edit of what cannot be read, the post is told as a new one.
  return { ...event, after, before: earlier ?? null, isLost }
}
