import { nameKey } from '../../model/channel-name.ts'
import type { Channel } from '../../model/channel.ts'
import { packChannel, unpackView, type ChannelView } from '../channel-codec.ts'
import { indexedPrefixes, wordsOfChannel } from '../channel-words.ts'
import type { ChannelRow, Writes } from '../plan/rows.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** Reads and writes the rows of channels. */

export const CHANNELS = rowSet(
  `id int, platform_id bigint, username text, name_key text, title text, description text,
  avatar_url text, verified boolean, subscribers bigint, counts text, status text, reason text,
  language text, added_at bigint, last_visited_at bigint, posts int, first_post_at bigint,
  last_post_at bigint, posts_per_day float8`,
  ['id'],
)

/** Everything about a channel in one statement; each subselect is an index seek. */
const VIEW = `select ${CHANNELS.of('c')},
  s.next_visit_at, s.walked_to, g.gap_top,
  (select p.published_at from posts p where p.channel_id = c.id and p.number >= s.walked_to
    and p.number >= coalesce(g.gap_top, 0) order by p.number limit 1) as archive_from,
  (select json_agg(n.name order by n.learnt_at, n.name_key) from channel_names n
    where n.channel_id = c.id and n.name_key <> c.name_key) as aliases,
  (select json_agg(json_build_array(l.code, l.posts) order by l.posts desc, l.code) from channel_languages l
    where l.channel_id = c.id and l.posts > 0) as languages
  from channels c left join schedules s on s.channel_id = c.id cross join lateral (select max(before_number) as gap_top from gaps
    where channel_id = c.id and kind <> 'refresh') g`

/** In the order of the ids. */
export async function channelsById(queries: Queries, ids: readonly number[]): Promise<Channel[]> {
  const rows = await queries.all<ChannelView>(BY_ID, ids.filter(isId))
  const known = new Map(rows.map((row) => [row.id, unpackView(row)]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** In the order of the names; undefined where there is no channel. */
export async function channelsByName(
  queries: Queries,
  names: readonly string[],
): Promise<(Channel | undefined)[]> {
  const rows = await queries.all<ChannelView & { place: number }>(BY_NAME, names.map(nameKey))
  const known = new Map(rows.map((row) => [row.place, unpackView(row)]))
  return names.map((_name, i) => known.get(i + 1))
}

/** Callers may pass any number; an id that no row can have is not sent to the database. */
export function isId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id < 2 ** 31
}

export async function writeChannels(
  tx: Queries,
  { forgotten, channels, namesLost, names }: Writes,
): Promise<void> {
  const moved = channels.flatMap(({ row, old }) => {
    const values = packChannel(row)
    const isSame = old && JSON.stringify(packChannel(old)) === JSON.stringify(values)
    return isSame ? [] : [values]
  })
  const renamed = channels.flatMap(({ row, old }) =>
    !old || wordKey(row) !== wordKey(old) ? [row] : [],
  )
  const given = names.map((row) => ({ ...row, nameKey: nameKey(row.name) }))
  await Promise.all([
    ...FORGET.map((sql) => tx.run(sql, forgotten)),
    tx.run(SAVE, ...CHANNELS.values(moved)),
    writeWords(tx, renamed),
    tx.run(LOSE_NAMES, namesLost),
    tx.run(GIVE_NAMES, ...NAMES.values(given)),
  ])
}

/** The words that channels are found by. */
export async function writeWords(tx: Queries, channels: readonly Worded[]): Promise<void> {
  const rows = channels.map((channel) => ({ channelId: channel.id, ...wordsOfChannel(channel) }))
  const starts = rows.flatMap(({ channelId, ...words }) =>
    indexedPrefixes(words).map((start) => ({ start, channelId })),
  )
  const ids = channels.map(({ id }) => id)
  await Promise.all([
    tx.run(SAVE_WORDS, ...WORDS.values(rows)),
    tx.run(DROP_STARTS, ids),
    tx.run(ADD_STARTS, ...STARTS.values(starts)),
  ])
}

export type Worded = Pick<ChannelRow, 'id' | 'username' | 'title' | 'description'>

function wordKey({ username, title, description }: Worded): string {
  return JSON.stringify([username, title, description])
}

const WORDS = rowSet('channel_id int, name text, title text, description text', ['channel_id'])
const NAMES = rowSet('name_key text, name text, channel_id int, learnt_at bigint', ['name_key'])

const BY_ID = `${VIEW} where c.id = any($1::int[])`
const BY_NAME = `select a.place, v.* from unnest($1::text[]) with ordinality as a (name_key, place)
  join channel_names m on m.name_key = a.name_key cross join lateral (${VIEW} where c.id = m.channel_id limit 1) v`
const SAVE = CHANNELS.upsert('channels')
const SAVE_WORDS = WORDS.upsert('channel_words')
const STARTS = rowSet('start text, channel_id int')
const DROP_STARTS = 'delete from channel_starts where channel_id = any($1::int[])'
const ADD_STARTS = `insert into channel_starts (${STARTS.columns}) select * from ${STARTS.from()}`
const LOSE_NAMES = 'delete from channel_names where name_key = any($1::text[])'
const GIVE_NAMES = NAMES.upsert('channel_names')
const FORGET = [
  ['channels', 'id'],
  ['channel_words', 'channel_id'],
  ['channel_starts', 'channel_id'],
  ['channel_names', 'channel_id'],
  ['channel_hours', 'channel_id'],
  ['channel_features', 'channel_id'],
  ['channel_languages', 'channel_id'],
  ['channel_days', 'channel_id'],
  ['schedules', 'channel_id'],
  ['sightings', 'source_id'],
  ['changes', 'channel_id'],
  ['events', 'channel_id'],
].map(([table, column]) => `delete from ${table} where ${column} = any($1::int[])`)
