import type { ArchivedPost } from '../../model/post.ts'
import type { ScanOptions } from '../archive.ts'
import type { Database } from './database.ts'
import { keyOf, unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfTime } from './post-range.ts'

/** Walks over many posts in steps. */

export async function* scanPosts(
  db: Database,
  options: ScanOptions,
): AsyncGenerator<readonly ArchivedPost[]> {
  const since = options.publishedSince ?? null
  let waiting: ArchivedPost[] = []
  const { after, signal } = options
  for await (const channelId of channelIds(db, options.channelId, after?.channelId)) {
    const range = await db.read(() => rangeOfTime(db, channelId, since, null))
    let from = range?.from ?? 1
    if (channelId === after?.channelId) from = Math.max(from, keyOf(channelId, after.number) + 1)
    const to = range?.to ?? 0
    while (from <= to) {
      signal?.throwIfAborted()
      const rows = await db.read(() =>
        db.all<PostRow>(BATCH, from, to, options.batch - waiting.length),
      )
      const last = rows.at(-1)
      if (!last) break
      from = last.key + 1
      const isWanted = (row: PostRow) => since === null || row.published_at >= since
      waiting.push(...rows.filter(isWanted).map(unpackPost))
      if (waiting.length >= options.batch) {
        yield waiting
        waiting = []
      }
    }
  }
  if (waiting.length > 0) yield waiting
}

/** The ids of all channels from `from` on, ascending; or just `only`. */
export async function* channelIds(db: Database, only?: number, from = 0): AsyncGenerator<number> {
  if (only !== undefined) {
    if (only >= from) yield only
    return
  }
  for (let last = from - 1; ;) {
    const rows = await db.read(() => db.all<{ id: number }>(CHANNELS, last))
    if (rows.length === 0) return
    for (const { id } of rows) yield id
    last = rows.at(-1)!.id
  }
}

const CHANNELS = 'select id from channels where id > ? order by id limit 500'
