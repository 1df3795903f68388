import { setImmediate as breathe } from 'node:timers/promises'
import type { ArchivedPost } from '../../model/post.ts'
import type { Database } from './database.ts'
import { unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfTime } from './post-range.ts'

/** Walks over many posts, a piece at a time. */

export async function* scanPosts(
  db: Database,
  options: {
    readonly channelId?: number
    readonly publishedSince?: number
    readonly batch: number
  },
): AsyncGenerator<readonly ArchivedPost[]> {
  const since = options.publishedSince ?? null
  let waiting: ArchivedPost[] = []
  for await (const channelId of channelIds(db, options.channelId)) {
    const range = await db.read(() => rangeOfTime(db, channelId, since, null))
    let from = range?.from ?? 1
    const to = range?.to ?? 0
    while (from <= to) {
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
        await breathe()
      }
    }
  }
  if (waiting.length > 0) yield waiting
}

/** All channels by id, or only the one. */
export async function* channelIds(db: Database, only: number | undefined): AsyncGenerator<number> {
  if (only !== undefined) {
    yield only
    return
  }
  for (let last = 0; ;) {
    const rows = await db.read(() => db.all<{ id: number }>(CHANNELS, last))
    if (rows.length === 0) return
    for (const { id } of rows) yield id
    last = rows.at(-1)!.id
  }
}

const CHANNELS = 'select id from channels where id > ? order by id limit 500'
