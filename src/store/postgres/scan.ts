import type { ArchivedPost } from '../../model/post.ts'
import type { ScanOptions } from '../archive.ts'
import type { Database } from './database.ts'
import { channelRanges, instant } from './post-range.ts'
import { POSTS, POST_COLUMNS, unpackStored, type StoredPost } from './post-rows.ts'

/** Every post by channel and number, one statement per step: a snapshot held for hours would keep vacuum from cleaning up. */
export async function* scanPosts(
  db: Database,
  { channelId: only, publishedSince = -Infinity, batch, after, signal }: ScanOptions,
): AsyncGenerator<readonly ArchivedPost[]> {
  let waiting: ArchivedPost[] = []
  const from = after?.channelId ?? 0
  for await (const range of channelRanges(db, publishedSince, { only, from })) {
    const { channelId, last } = range
    const isStarted = channelId === after?.channelId
    let first = isStarted ? Math.max(range.first, after.number + 1) : range.first
    while (first <= last) {
      signal?.throwIfAborted()
      const room = batch - waiting.length
      const asked = [channelId, first, last, instant(publishedSince), room] as const
      const rows = await db.slow.all<StoredPost>(BATCH, ...asked)
      waiting.push(...rows.map(unpackStored))
      first = rows.length < room ? last + 1 : rows.at(-1)!.number + 1
      if (waiting.length >= batch) {
        yield waiting
        waiting = []
      }
    }
  }
  if (waiting.length > 0) yield waiting
}

const BATCH = `select ${POST_COLUMNS} from ${POSTS} where p.channel_id = $1 and p.number between $2 and $3 and p.published_at >= $4 order by p.number limit $5`
