import type { ArchiveTotals, ChannelStats, LanguageCount } from '../archive.ts'
import {
  MEDIAN_POSTS,
  NAMERS_PER_TARGET,
  SIMILAR_TARGETS,
  STATS_DAYS,
  TOP_ENTRIES,
  activityOf,
  firstStatsDay,
  mergeTallies,
  totalsOf,
  type Extent,
  type HourCount,
  type Tally,
  type Total,
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
  const rows = db.all<LanguageCount>(LANGUAGES, first, first + STATS_DAYS - 1)
  return rows.map((row) => ({ ...row }))
}

export function archiveTotals(db: Database): ArchiveTotals {
  return totalsOf(db.all<Total>(TOTALS))
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
const LANGUAGES = `with recursive codes (code) as (
    select min(code) from language_days
    union all select (select min(d.code) from language_days d where d.code > codes.code) from codes
    where codes.code is not null)
  select code, sum(channels) as channels, sum(posts) as posts30d from (
    select code, 0 as channels, (select coalesce(sum(d.posts), 0) from language_days d
      where d.code = codes.code and d.day between ? and ?) as posts from codes where code is not null
    union all select substr(name, 11), value, 0 from totals
      where name >= 'languages/' and name < 'languages0' and value > 0)
  group by code order by 2 desc, 3 desc, 1`
const TOTALS = `select name, value from totals
    where name in ('posts', 'removals') or (name >= 'channels/' and name < 'channels0')
  union all select 'oldest', min(first_post_at) from channels
  union all select * from (select 'newest', last_post_at from channels order by coalesce(last_post_at, -1) desc limit 1)`
