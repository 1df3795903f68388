import type { Channel } from '../../model/channel.ts'
import { DAY_MS } from '../channel-rules.ts'
import { markChannel } from './change-rows.ts'
import type { Database } from './database.ts'
import { KEY_SPAN, keyOf } from './post-codec.ts'
import { UNCOUNTED } from './stats-delta.ts'

/**
 * Erasing a channel. Its row and all that leads to it go at once, so that no answer holds it from then on; its posts
 * follow piece by piece, because a million of them in one transaction would hold everybody up. What a crash leaves
 * behind is on record and is taken up by whoever goes on running, or at the next start. With an heir, the posts go over
 * to that channel.
 */
export function startErasure(
  db: Database,
  channel: Pick<Channel, 'id' | 'posts'>,
  at: number,
  heir: number | null = null,
): void {
  db.run(`update totals set value = value - ? where name = 'posts'`, channel.posts)
  for (const sql of FORGET) db.run(sql, channel.id)
  db.run('delete from changes where key >= ? and key < ?', ...rangeOf(channel.id))
  db.run('insert or ignore into erasures values (?, ?, ?)', channel.id, heir, at)
  // What others were to leave to this one goes on with it; without an heir it is erased, too.
  db.run('update erasures set heir = ? where heir = ?', heir, channel.id)
  markChannel(db, channel.id, at)
  if (
    heir === null &&
    db.get('select 1 from posts where key >= ? and key < ?', ...rangeOf(channel.id))
  ) {
    noteRemoval(db)
  }
}

/** Something was taken out at somebody's wish. */
export function noteRemoval(db: Database): void {
  db.run(`update totals set value = value + 1 where name = 'removals'`)
}

/** Erases up to `limit` posts; resolves to how many, 0 when none are left. */
export function eraseSome(db: Database, channelId: number, limit: number): number {
  const rows = db.all<ErasedRow>(SOME, ...rangeOf(channelId), limit)
  const last = rows.at(-1)
  if (!last) {
    // Members have higher numbers than their album, so the last ones outlive it.
    db.run('delete from post_members where key >= ? and key < ?', ...rangeOf(channelId))
    db.run('delete from erasures where channel_id = ?', channelId)
    return 0
  }
  for (const row of rows) {
    db.run('delete from post_terms where rowid = ?', row.key)
    const isSpoken = row.language !== null && (row.flags & UNCOUNTED) === 0
    if (isSpoken) db.run(UNSPEAK, row.language, Math.floor(row.published_at / DAY_MS))
  }
  const [from] = rangeOf(channelId)
  for (const table of TABLES) {
    db.run(`delete from ${table} where key >= ? and key <= ?`, from, last.key)
  }
  db.run('delete from language_days where posts <= 0')
  return rows.length
}

export interface Erasure {
  readonly channel_id: number
  readonly heir: number | null
  readonly begun_at: number
}

export function erasureOf(db: Database, channelId: number): Erasure | undefined {
  return db.get<Erasure>('select * from erasures where channel_id = ?', channelId)
}

/** Channels whose posts are still going over to this one. */
export function leftTo(db: Database, heir: number): number[] {
  return db.all<Erasure>('select * from erasures where heir = ?', heir).map((row) => row.channel_id)
}

export function pendingErasures(db: Database): number[] {
  return db.all<Erasure>('select * from erasures').map((row) => row.channel_id)
}

interface ErasedRow {
  readonly key: number
  readonly published_at: number
  readonly language: string | null
  readonly flags: number
}

function rangeOf(channelId: number): [from: number, to: number] {
  return [channelId * KEY_SPAN, keyOf(channelId + 1, 0)]
}

const SOME = `select key, published_at, language, flags from posts where key >= ? and key < ? order by key limit ?`
const UNSPEAK = 'update language_days set posts = posts - 1 where code = ? and day = ?'
const TABLES = ['posts', 'post_bodies', 'post_versions', 'post_members']
const FORGET = [
  'delete from channels where id = ?',
  'delete from channel_words where channel_id = ?',
  'delete from channel_names where channel_id = ?',
  'delete from channel_hours where channel_id = ?',
  'delete from channel_features where channel_id = ?',
  'delete from channel_languages where channel_id = ?',
  'delete from schedules where channel_id = ?',
  'delete from gaps where channel_id = ?',
  'delete from sightings where source_id = ?',
]
