import type { Database } from './database.ts'
import { keyOf } from './post-codec.ts'

/** The dirty set: one row per post or channel the index has not been told about, written in the change's transaction. */

export const WHAT = { counters: 1, post: 2, channel: 3 } as const

export function markPost(db: Database, key: number, what: 'counters' | 'post', at: number): void {
  db.run(MARK, key, WHAT[what], at)
}

export function markChannel(db: Database, channelId: number, at: number): void {
  db.run(MARK, keyOf(channelId, 0), WHAT.channel, at)
}

/** A change that was waiting keeps its place and its date; the version tells a drainer that it moved again. */
const MARK = `insert into changes (key, what, at) values (?, ?, ?)
  on conflict (key) do update set what = max(what, excluded.what), version = version + 1`
