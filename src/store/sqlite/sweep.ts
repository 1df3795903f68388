import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../../model/clock.ts'
import type { ArchivedPost } from '../../model/post.ts'
import { HOUR_MS } from '../channel-rules.ts'
import type { Database } from './database.ts'
import { keyOf, unpackPost, type PostRow } from './post-codec.ts'
import { BATCH, rangeOfTime } from './post-range.ts'
import { erasePost } from './post-rows.ts'
import { StatsDelta, refreshPace } from './stats-delta.ts'

/** Walks over many posts, a piece at a time. */

const PRUNED_A_STEP = 100

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

/** Erases posts published before then, oldest hours first, at most `limit` of them. */
export async function prunePosts(
  db: Database,
  publishedBefore: number,
  limit: number,
  clock: Clock,
): Promise<number> {
  let pruned = 0
  while (pruned < limit) {
    const step = Math.min(PRUNED_A_STEP, limit - pruned)
    const some = await db.write(() => pruneSome(db, publishedBefore, step, clock.now()))
    if (some === 0) break
    pruned += some
    await breathe()
  }
  return pruned
}

function pruneSome(db: Database, publishedBefore: number, limit: number, now: number): number {
  let pruned = 0
  const deltas = new Map<number, StatsDelta>()
  const emptied: HourRow[] = []
  const lastHour = Math.floor(publishedBefore / HOUR_MS)
  const hours = db.all<HourRow>(OLD_HOURS, lastHour, limit)
  for (const row of hours) {
    if (pruned >= limit) break
    const { channel_id, hour, first_number, last_number } = row
    const end = Math.min((hour + 1) * HOUR_MS, publishedBefore)
    const [from, to] = [keyOf(channel_id, first_number), keyOf(channel_id, last_number)]
    const values = [from, to, hour * HOUR_MS, end, limit - pruned]
    const keys = db.all<{ key: number }>(OLD_POSTS, ...values)
    const delta = deltas.get(channel_id) ?? new StatsDelta()
    deltas.set(channel_id, delta)
    for (const { key } of keys) erasePost(db, key, delta, now)
    if (keys.length > 0) db.run(LEAVE_START, channel_id)
    pruned += keys.length
    const isDone = end === (hour + 1) * HOUR_MS && pruned < limit
    if (isDone) emptied.push(row)
  }
  for (const [channelId, delta] of deltas) {
    delta.flush(db, channelId, now)
    refreshPace(db, channelId, now)
  }
  for (const { channel_id, hour } of emptied) db.run(FORGET_HOUR, channel_id, hour)
  return pruned
}

interface HourRow {
  readonly channel_id: number
  readonly hour: number
  readonly first_number: number
  readonly last_number: number
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
const OLD_HOURS = `select channel_id, hour, first_number, last_number from channel_hours
  where hour <= ? order by hour, channel_id limit ?`
const LEAVE_START = 'update channels set reached_start = 0 where id = ? and reached_start = 1'
const FORGET_HOUR = 'delete from channel_hours where channel_id = ? and hour = ?'
const OLD_POSTS = `select key from posts
  where key between ? and ? and published_at >= ? and published_at < ? order by key limit ?`
