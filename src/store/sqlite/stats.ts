import type { ArchiveTotals, ChannelStats, LanguageCount } from '../archive.ts'
import type { ChannelStatus } from '../../model/channel.ts'
import {
  MEDIAN_POSTS,
  NAMERS_PER_TARGET,
  SIMILAR_TARGETS,
  STATS_DAYS,
  TOP_ENTRIES,
  activityOf,
  firstStatsDay,
  mergeTallies,
  type Extent,
  type HourCount,
  type Tally,
} from '../channel-rules.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { kindNumber } from '../post-features.ts'
import { namesOf } from './channel-rows.ts'
import type { Database } from './database.ts'
import { recentGrowth } from './growth.ts'
import { rangeOfChannel } from './post-range.ts'

const FORWARD = kindNumber('forward')
const MENTION = kindNumber('mention')

export function channelStats(db: Database, channelId: number, now: number): ChannelStats {
  const extent = db.get<Extent>(CHANNEL, channelId)
  const firstHour = firstStatsDay(now) * 24
  const rows = db.all<HourCount>(HOURS, channelId, firstHour, firstHour + STATS_DAYS * 24)
  const { from, to } = rangeOfChannel(channelId)
  const views = db.all<{ views: number }>(VIEWS, from, to, MEDIAN_POSTS).map((row) => row.views)
  const top = (kind: number) => db.all<Tally>(TOP, channelId, kind, TOP_ENTRIES)
  return {
    ...activityOf(extent, rows, views, now),
    topHashtags: top(kindNumber('hashtag')).map(plain),
    topDomains: top(kindNumber('domain')).map(plain),
    forwardsFrom: top(FORWARD).map(plain),
    forwardedBy: forwardedBy(db, channelId),
    similar: similarTo(db, channelId),
    growth: recentGrowth(db, channelId, now),
  }
}

function forwardedBy(db: Database, channelId: number): Tally[] {
  const forwards = new Map<number, number>()
  for (const name of namesOf(db, channelId)) {
    for (const { id, count } of namersOf(db, name, FORWARD, channelId)) {
      forwards.set(id, (forwards.get(id) ?? 0) + count)
    }
  }
  return mostOf(forwards).map(([id, count]) => ({ value: usernameOf(db, id), count }))
}

/** Channels that forward or mention the same names as this one, with one point for each name they share. */
function similarTo(db: Database, channelId: number): string[] {
  const top = (kind: number) => db.all<Tally>(TOP, channelId, kind, SIMILAR_TARGETS)
  const targets = mergeTallies([top(FORWARD), top(MENTION)]).slice(0, SIMILAR_TARGETS)
  const shared = new Map<number, number>()
  for (const { value } of targets) {
    const namers = [FORWARD, MENTION].flatMap((kind) => namersOf(db, value, kind, channelId))
    for (const id of new Set(namers.map((namer) => namer.id))) {
      shared.set(id, (shared.get(id) ?? 0) + 1)
    }
  }
  return mostOf(shared).map(([id]) => usernameOf(db, id))
}

function namersOf(db: Database, name: string, kind: number, except: number) {
  return db.all<{ id: number; count: number }>(NAMERS, name, kind, except, NAMERS_PER_TARGET)
}

function mostOf(counts: ReadonlyMap<number, number>): [id: number, count: number][] {
  const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || a - b)
  return sorted.slice(0, TOP_ENTRIES)
}

function usernameOf(db: Database, id: number): string {
  return db.get<{ username: string }>('select username from channels where id = ?', id)!.username
}

export function languageCounts(db: Database, now: number): LanguageCount[] {
  const first = firstStatsDay(now)
  const spoken = db.all<{ code: string; posts: number }>(SPOKEN, first, first + STATS_DAYS - 1)
  const held = db.all<{ code: string; channels: number }>(HELD)
  const channels = new Map(held.map((row) => [row.code, row.channels]))
  const posts = new Map(spoken.map((row) => [row.code, row.posts]))
  return [...new Set([...channels.keys(), ...posts.keys()])]
    .map((code) => ({
      code,
      channels: channels.get(code) ?? 0,
      posts30d: posts.get(code) ?? 0,
    }))
    .toSorted(
      (a, b) => b.channels - a.channels || b.posts30d - a.posts30d || (a.code < b.code ? -1 : 1),
    )
}

export function archiveTotals(db: Database): ArchiveTotals {
  const statuses = db.all<{ status: ChannelStatus; count: number }>(STATUSES)
  const sum = db.get<{
    posts: number
    oldest: number | null
    newest: number | null
    removals: number
  }>(SUMMARY)!
  return {
    channels: statuses.reduce((all, row) => all + row.count, 0),
    channelsByStatus: Object.fromEntries(statuses.map((row) => [row.status, row.count])),
    posts: sum.posts,
    oldestPostAt: sum.oldest,
    newestPostAt: sum.newest === -1 ? null : sum.newest,
    removals: sum.removals,
  }
}

function plain({ value, count }: Tally): Tally {
  return { value, count }
}

const CHANNEL =
  'select posts, first_post_at as first, last_post_at as last from channels where id = ?'
const HOURS =
  'select hour, posts from channel_hours where channel_id = ? and hour >= ? and hour < ?'
const VIEWS = `select views from posts
  where key between ? and ? and flags & ${UNCOUNTED} = 0 and views is not null order by key desc limit ?`
const TOP = `select value, posts as count from channel_features
  where channel_id = ? and kind = ? order by posts desc, value limit ?`
// `kind >= 3` is redundant: it lets SQLite use the partial index that holds only forwards and mentions.
const NAMERS = `select channel_id as id, posts as count from channel_features
  where value = ? and kind = ? and kind >= 3 and channel_id <> ? order by posts desc, channel_id limit ?`
// One seek per language code instead of a scan over all days.
const SPOKEN = `with recursive codes (code) as (
    select min(code) from language_days
    union all select (select min(d.code) from language_days d where d.code > codes.code) from codes
    where codes.code is not null)
  select code, (select coalesce(sum(d.posts), 0) from language_days d
    where d.code = codes.code and d.day between ? and ?) as posts
  from codes where code is not null`
const HELD = `select substr(name, 11) as code, value as channels from totals
  where name >= 'languages/' and name < 'languages0' and value > 0`
const STATUSES = `select substr(name, 10) as status, value as count from totals
  where name >= 'channels/' and name < 'channels0' and value > 0`
const SUMMARY = `select (select value from totals where name = 'posts') as posts,
  (select value from totals where name = 'removals') as removals,
  (select min(first_post_at) from channels) as oldest,
  (select coalesce(last_post_at, -1) from channels order by coalesce(last_post_at, -1) desc limit 1) as newest`
