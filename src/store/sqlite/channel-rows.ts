import { nameKey } from '../../model/channel-name.ts'
import type { Channel } from '../../model/channel.ts'
import {
  packChannel,
  unpackChannel,
  unpackView,
  type ChannelView,
  type StoredChannel,
} from '../channel-codec.ts'
import { wordsOfChannel } from '../channel-words.ts'
import type { ChannelRow, NameRow, Wanted } from '../plan/rows.ts'
import { saveWords } from './channel-words.ts'
import type { Database } from './database.ts'
import { KEY_SPAN } from './post-codec.ts'

/** Reads and writes the rows of channels. */

/** Everything about a channel in one statement; each subselect is an index seek. */
const CHANNEL_COLUMNS = `c.id, c.platform_id, c.username, c.title, c.description, c.avatar_url, c.verified,
  c.counts, c.status, c.reason, c.language, c.added_at, c.last_visited_at, c.posts, c.first_post_at, c.last_post_at,
  c.posts_per_day, s.next_visit_at, s.walked_to,
  (select max(g.before_number) from gaps g where g.channel_id = c.id and g.kind <> 'refresh') as gap_top,
  (select p.published_at from posts p where p.key >= c.id * ${KEY_SPAN} + max(s.walked_to, coalesce(
    (select max(g.before_number) from gaps g where g.channel_id = c.id and g.kind <> 'refresh'), 0))
    and p.key < (c.id + 1) * ${KEY_SPAN} order by p.key limit 1) as archive_from,
  (select json_group_array(n.name order by n.learnt_at, n.name_key) from channel_names n
    where n.channel_id = c.id and n.name_key <> c.name_key) as aliases,
  (select json_group_array(json_array(l.code, l.posts) order by l.posts desc, l.code) from channel_languages l
    where l.channel_id = c.id and l.posts > 0) as languages`

/** Lists come as JSON. */
interface ViewRow extends Omit<ChannelView, 'aliases' | 'languages'> {
  readonly aliases: string
  readonly languages: string
}

function unpackRow(row: ViewRow): Channel {
  const aliases = JSON.parse(row.aliases) as ChannelView['aliases']
  const languages = JSON.parse(row.languages) as ChannelView['languages']
  return unpackView({ ...row, aliases, languages })
}

function valuesOf(row: ChannelRow): Record<string, number | string | null> {
  const { id: _id, verified, ...values } = packChannel(row)
  return { ...values, verified: Number(verified) }
}

export function channelById(db: Database, id: number): Channel | undefined {
  const row = db.get<ViewRow>(BY_ID, id)
  return row && unpackRow(row)
}

export function channelIdByName(db: Database, name: string): number | undefined {
  return db.get<{ channel_id: number }>(BY_NAME, nameKey(name))?.channel_id
}

/** Each channel once, even if it is found in several ways. */
export function loadChannels(
  db: Database,
  { ids = [], platformIds = [], names = [] }: NonNullable<Wanted['channels']>,
): ChannelRow[] {
  const rows = [
    ...ids.map((id) => db.get<StoredChannel>(ROW_BY_ID, id)),
    ...platformIds.map((id) => db.get<StoredChannel>(ROW_BY_PLATFORM_ID, id)),
    ...names.map((name) => db.get<StoredChannel>(ROW_BY_NAME, name)),
  ].filter((row) => row !== undefined)
  return [...new Map(rows.map((row) => [row.id, row])).values()].map(unpackChannel)
}

export function namesOfAll(
  db: Database,
  channels: readonly { readonly id: number }[],
): (NameRow & { readonly key: string })[] {
  return channels.flatMap(({ id }) => db.all<NameRow & { key: string }>(NAMES, id))
}

/** Writes only columns that changed: SQLite rewrites a row and its index entries even when the values are the same. */
export function writeChannel(db: Database, row: ChannelRow, old: ChannelRow | undefined): void {
  const values = valuesOf(row)
  const before = old && valuesOf(old)
  const moved = Object.keys(values).filter((column) => values[column] !== before?.[column])
  if (moved.length === 0) return
  const set = moved.map((column) => values[column]!)
  if (before) db.run(`update channels set ${moved.join(' = ?, ')} = ? where id = ?`, ...set, row.id)
  else {
    const marks = moved.map(() => '?').join(', ')
    db.run(`insert into channels (${moved.join(', ')}, id) values (${marks}, ?)`, ...set, row.id)
  }
  if (!['username', 'title', 'description'].some((column) => moved.includes(column))) return
  saveWords(db, row.id, wordsOfChannel(row))
}

/** Gives the name to this channel, taking it from any other. */
export function giveName(db: Database, { name, channelId, learntAt }: NameRow): void {
  db.run(GIVE_NAME, nameKey(name), name, channelId, learntAt)
}

/** In lower case, in the order in which they were learnt. */
export function namesOf(db: Database, id: number): string[] {
  return db.all<{ key: string }>(NAMES, id).map((row) => row.key)
}

const BY_ID = `select ${CHANNEL_COLUMNS} from channels c left join schedules s on s.channel_id = c.id where c.id = ?`
const BY_NAME = 'select channel_id from channel_names where name_key = ?'
const ROW_BY_ID = 'select * from channels where id = ?'
const ROW_BY_PLATFORM_ID = 'select * from channels where platform_id = ?'
const ROW_BY_NAME =
  'select * from channels where id = (select channel_id from channel_names where name_key = ?)'
const GIVE_NAME = 'insert or replace into channel_names values (?, ?, ?, ?)'
const NAMES = `select name_key as key, name, channel_id as channelId, learnt_at as learntAt
  from channel_names where channel_id = ? order by learnt_at, name_key`
