import { createCache } from '../model/cache.ts'
import type { PostRef } from '../model/post.ts'
import { unpackDocument } from '../search/document-codec.ts'
import { PercolatedPost } from '../search/percolator/percolator.ts'
import type { EventLog, PostEvent } from '../store/events.ts'

/** An event whose post is unpacked, so that it can be matched against queries. */
export interface ReadEvent extends Omit<PostEvent, 'document' | 'before'> {
  /** The post as it was then; null for a deletion. */
  readonly after: PercolatedPost | null
  readonly before: PercolatedPost | null
}

/** Reads the event log. Many followers read the same latest events, so these are unpacked once and cached. */
export interface EventReader {
  after(seq: number, limit: number): Promise<readonly ReadEvent[]>
  of(posts: readonly PostRef[]): Promise<readonly ReadEvent[]>
}

/** Cached events: about 10 MB. */
const REMEMBERED = 500

export function createEventReader(log: Pick<EventLog, 'after' | 'of'>): EventReader {
  const known = createCache<string, ReadEvent>({ maxEntries: REMEMBERED })
  // A log that was put back uses its numbers again, but later.
  const read = (event: PostEvent) =>
    known.getOrMake(`${event.seq} ${event.at}`, () => readEvent(event))
  return {
    after: async (seq, limit) => (await log.after(seq, limit)).map(read),
    of: async (posts) => (await log.of(posts)).map(read),
  }
}

function readEvent({ document, before, ...event }: PostEvent): ReadEvent {
  return { ...event, after: judged(document), before: judged(before) }
}

function judged(bytes: Uint8Array | null): PercolatedPost | null {
  return bytes && new PercolatedPost(unpackDocument(bytes))
}
