import { nameKey } from '../../model/channel-name.ts'
import type { Channel, ChannelCounters, ChannelStatus } from '../../model/channel.ts'
import type { Count } from '../../model/count.ts'
import { wordsOfChannel, type ProfileFields } from '../channel-rules.ts'
import type { Database } from './database.ts'
import { KEY_SPAN } from './post-codec.ts'

/** Channels ⇄ rows. */

interface ChannelRow {
  readonly id: number
  readonly platform_id: number | null
  readonly username: string
  readonly title: string
  readonly description: string
  readonly avatar_url: string | null
  readonly verified: number
  readonly counts: string
  readonly status: ChannelStatus
  readonly reason: string | null
  readonly language: string | null
  readonly added_at: number
  readonly last_visited_at: number | null
  readonly reached_start: number
  readonly posts: number
  readonly first_post_at: number | null
  readonly last_post_at: number | null
  readonly next_visit_at: number | null
  readonly gap_top: number | null
  readonly archive_from: number | null
  readonly aliases: string | null
  readonly languages: string | null
}

interface PackedCounts extends ChannelCounters {
  readonly subscribers: Count | null
}

/** Everything of a channel in one statement; each subselect is a seek in an index. */
const CHANNEL_COLUMNS = `c.id, c.platform_id, c.username, c.title, c.description, c.avatar_url, c.verified,
  c.counts, c.status, c.reason, c.language, c.added_at, c.last_visited_at, c.reached_start, c.posts, c.first_post_at,
  c.last_post_at,
  (select s.next_visit_at from schedules s where s.channel_id = c.id) as next_visit_at,
  (select max(g.before_number) from gaps g where g.channel_id = c.id and g.kind <> 'refresh') as gap_top,
  (select p.published_at from posts p where p.key >= c.id * ${KEY_SPAN} + coalesce(
    (select max(g.before_number) from gaps g where g.channel_id = c.id and g.kind <> 'refresh'), 0)
    and p.key < (c.id + 1) * ${KEY_SPAN} order by p.key limit 1) as archive_from,
  (select json_group_array(n.name order by n.learnt_at, n.name_key) from channel_names n
    where n.channel_id = c.id and n.name_key <> c.name_key) as aliases,
  (select json_group_array(json_array(l.code, l.posts) order by l.posts desc, l.code) from channel_languages l
    where l.channel_id = c.id and l.posts > 0) as languages`

function unpackChannel(row: ChannelRow): Channel {
  const { subscribers, photos, videos, files, links } = JSON.parse(row.counts) as PackedCounts
  const languages = JSON.parse(row.languages ?? '[]') as [string, number][]
  const spoken = languages.reduce((sum, [, posts]) => sum + posts, 0)
  return {
    id: row.id,
    platformId: row.platform_id,
    username: row.username,
    aliases: JSON.parse(row.aliases ?? '[]') as string[],
    title: row.title,
    description: row.description,
    avatarUrl: row.avatar_url,
    verified: row.verified === 1,
    subscribers,
    counters: { photos, videos, files, links },
    status: row.status,
    reason: row.reason,
    language: row.language,
    languages: languages.map(([code, posts]) => ({ code, share: posts / spoken })),
    addedAt: row.added_at,
    lastVisitedAt: row.last_visited_at,
    nextVisitAt: row.next_visit_at,
    archiveFrom: row.archive_from,
    archiveComplete: row.reached_start === 1 && row.gap_top === null,
    posts: row.posts,
    firstPostAt: row.first_post_at,
    lastPostAt: row.last_post_at,
  }
}

export function channelById(db: Database, id: number): Channel | undefined {
  const row = db.get<ChannelRow>(BY_ID, id)
  return row && unpackChannel(row)
}

export function channelByPlatformId(db: Database, platformId: number): Channel | undefined {
  const row = db.get<ChannelRow>(BY_PLATFORM_ID, platformId)
  return row && unpackChannel(row)
}

export function channelIdByName(db: Database, name: string): number | undefined {
  return db.get<{ channel_id: number }>(BY_NAME, nameKey(name))?.channel_id
}

/** The row only: its name is given apart, because somebody may have to lose it. */
export function insertChannel(
  db: Database,
  channel: ProfileFields & {
    readonly username: string
    readonly platformId: number | null
    readonly status: ChannelStatus
    readonly addedAt: number
  },
): number {
  const { username, platformId, status, addedAt } = channel
  const row = db.get<{ id: number }>(
    INSERT,
    platformId,
    username,
    nameKey(username),
    status,
    addedAt,
  )
  saveProfile(db, row!.id, username, channel)
  return row!.id
}

export function saveProfile(
  db: Database,
  id: number,
  username: string,
  profile: ProfileFields,
): void {
  const { title, description, avatarUrl, verified, subscribers, counters } = profile
  const counts = JSON.stringify({ subscribers, ...counters } satisfies PackedCounts)
  const members = subscribers?.value ?? -1
  db.run(SAVE, title, description, avatarUrl, verified ? 1 : 0, counts, id)
  db.run(SAVE_SUBSCRIBERS, members, id)
  const words = wordsOfChannel({ username, title, description })
  db.run(SAVE_WORDS, id, words.name, words.title, words.description)
}

/** The name means this channel from now on, whomever it meant before. */
export function giveName(db: Database, id: number, name: string, at: number): void {
  db.run(GIVE_NAME, nameKey(name), name, id, at)
}

export function showName(db: Database, id: number, name: string): void {
  db.run(SHOW_NAME, name, nameKey(name), id)
  const words = wordsOfChannel({ username: name, title: '', description: '' })
  db.run('update channel_words set name = ? where channel_id = ?', words.name, id)
}

/** Lower case, in the order they were learnt. */
export function namesOf(db: Database, id: number): string[] {
  return db.all<{ name_key: string }>(NAMES, id).map((row) => row.name_key)
}

const BY_ID = `select ${CHANNEL_COLUMNS} from channels c where c.id = ?`
const BY_PLATFORM_ID = `select ${CHANNEL_COLUMNS} from channels c where c.platform_id = ?`
const BY_NAME = 'select channel_id from channel_names where name_key = ?'
const INSERT = `insert into channels
  (platform_id, username, name_key, title, description, verified, subscribers, counts, status, added_at)
  values (?, ?, ?, '', '', 0, -1, '{}', ?, ?) returning id`
// Most visits find nothing new, and SQLite writes a row and its place in an index even when it says the same again.
const SAVE = `update channels set title = ?, description = ?, avatar_url = ?, verified = ?, counts = ? where id = ?`
const SAVE_SUBSCRIBERS = 'update channels set subscribers = ?1 where id = ?2 and subscribers <> ?1'
const SAVE_WORDS = `insert into channel_words values (?, ?, ?, ?) on conflict do update set
  name = excluded.name, title = excluded.title, description = excluded.description
  where (name, title, description) <> (excluded.name, excluded.title, excluded.description)`
const GIVE_NAME = `insert into channel_names values (?, ?, ?, ?) on conflict do update set name = excluded.name,
  learnt_at = case when channel_id = excluded.channel_id then learnt_at else excluded.learnt_at end,
  channel_id = excluded.channel_id
  where (name, channel_id) <> (excluded.name, excluded.channel_id)`
const SHOW_NAME = 'update channels set username = ?, name_key = ? where id = ?'
const NAMES = 'select name_key from channel_names where channel_id = ? order by learnt_at, name_key'
