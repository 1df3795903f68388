import type { ArchiveTotals, ChannelStats, LanguageCount } from '../archive.ts'
import {
  MEDIAN_POSTS,
  NAMERS_PER_TARGET,
  SIMILAR_TARGETS,
  STATS_DAYS,
  TOP_ENTRIES,
  activityOf,
  firstStatsDay,
  totalsOf,
  type Extent,
  type HourCount,
  type Tally,
  type Total,
} from '../channel-rules.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { kindNumber } from '../post-features.ts'
import type { Database } from './database.ts'
import { recentGrowth } from './growth.ts'

export async function channelStats(
  db: Database,
  channelId: number,
  now: number,
): Promise<ChannelStats> {
  const firstHour = firstStatsDay(now) * 24
  // In one transaction, where statements that do not wait for each other share a round trip.
  const [extent, rows, views, top, forwardedBy, similar, growth] = await db.transaction((tx) =>
    Promise.all([
      tx.get<Extent>(CHANNEL, channelId),
      tx.all<HourCount>(HOURS, channelId, firstHour, firstHour + STATS_DAYS * 24),
      tx.all<{ views: number }>(VIEWS, channelId, MEDIAN_POSTS),
      tx.all<Tally & { kind: number }>(TOP, channelId, TOP_ENTRIES),
      tx.all<Tally>(FORWARDED_BY, channelId),
      tx.all<{ username: string }>(SIMILAR, channelId),
      recentGrowth(tx, channelId, now),
    ]),
  )
  const seen = views.map((row) => row.views)
  const most = (kind: number) =>
    top.filter((row) => row.kind === kind).map(({ value, count }) => ({ value, count }))
  return {
    ...activityOf(extent, rows, seen, now),
    topHashtags: most(HASHTAG),
    topDomains: most(DOMAIN),
    forwardsFrom: most(FORWARD),
    forwardedBy,
    similar: similar.map((row) => row.username),
    growth,
  }
}

export function languageCounts(db: Database, now: number): Promise<LanguageCount[]> {
  const first = firstStatsDay(now)
  return db.all<LanguageCount>(LANGUAGES, first, first + STATS_DAYS - 1)
}

export async function archiveTotals(db: Database): Promise<ArchiveTotals> {
  return totalsOf(await db.all<Total>(TOTALS))
}

/** Adds up the rows that many writers inserted separately, and merges days that no statistic shows any more into one. */
export async function foldSums(db: Database, now: number): Promise<void> {
  await db.slow.run(FOLD_DAYS, firstDayApart(now))
}

/** Posts of earlier days are counted as one day, whenever they arrive. */
export function firstDayApart(now: number): number {
  return firstStatsDay(now) - STATS_DAYS
}

const HASHTAG = kindNumber('hashtag')
const DOMAIN = kindNumber('domain')
const FORWARD = kindNumber('forward')
const MENTION = kindNumber('mention')
/** Stands for all days before those that are shown. */
const LONG_AGO = -1

const CHANNEL =
  'select posts, first_post_at as first, last_post_at as last from channels where id = $1'
const HOURS =
  'select hour, posts from channel_hours where channel_id = $1 and hour >= $2 and hour < $3'
const VIEWS = `select views from posts where channel_id = $1 and flags & ${UNCOUNTED} = 0 and views is not null
  order by number desc limit $2`
const TOP = `select k.kind, f.* from unnest(array[${HASHTAG}, ${DOMAIN}, ${FORWARD}]::smallint[]) as k (kind)
  cross join lateral (select value, posts as count from channel_features
    where channel_id = $1 and kind = k.kind order by posts desc, value limit $2) f
  order by k.kind, f.count desc, f.value`
/** The other channels that name a value most often. */
const namers = (value: string, kind: string) => `(select channel_id, posts from channel_features
  where value = ${value} and kind = ${kind} and kind >= ${FORWARD} and channel_id <> $1
  order by posts desc, channel_id limit ${NAMERS_PER_TARGET})`
const FORWARDED_BY = `select c.username as value, s.posts::integer as count from (
    select n.channel_id, sum(n.posts) as posts from channel_names k
    cross join lateral ${namers('k.name_key', String(FORWARD))} n
    where k.channel_id = $1 group by 1 order by 2 desc, 1 limit ${TOP_ENTRIES}) s
  join channels c on c.id = s.channel_id order by s.posts desc, c.id`
const named = (kind: number) => `(select value, posts from channel_features
  where channel_id = $1 and kind = ${kind} order by posts desc, value limit ${SIMILAR_TARGETS})`
// One point for each shared target.
const SIMILAR = `with targets as materialized (
    select value from (${named(FORWARD)} union all ${named(MENTION)}) t
    group by value order by sum(posts) desc, value limit ${SIMILAR_TARGETS}),
  shared as (select distinct t.value, n.channel_id from targets t
    cross join (values (${FORWARD}), (${MENTION})) as k (kind) cross join lateral ${namers('t.value', 'k.kind')} n)
  select c.username from (select channel_id, count(*) as points from shared
    group by 1 order by 2 desc, 1 limit ${TOP_ENTRIES}) s
  join channels c on c.id = s.channel_id order by s.points desc, c.id`
const LANGUAGES = `select code, coalesce(sum(channels), 0)::integer as channels, coalesce(sum(recent), 0)::integer as "posts30d"
  from (select code, 0 as channels, posts,
      case when day between $1 and $2 then posts else 0 end as recent from language_days
    union all select substr(name, 10), value, 0, 0 from totals where name >= 'language/' and name < 'language0') s
  group by code having sum(channels) > 0 or sum(posts) > 0 order by 2 desc, 3 desc, code`
const TOTALS = `select name, sum(value)::bigint as value from totals group by name
  union all select 'oldest', (select min(first_post_at) from channels)
  union all select 'newest', (select last_post_at from channels order by coalesce(last_post_at, -1) desc, id limit 1)`
const FOLD_DAYS = `with apart as (delete from language_days where slot <> 0 or (day < $1 and day <> ${LONG_AGO})
    returning code, case when day < $1 then ${LONG_AGO} else day end as day, posts)
  insert into language_days as d (code, day, slot, posts)
  select code, day, 0, sum(posts) from apart group by 1, 2 order by 1, 2
  on conflict (code, day, slot) do update set posts = d.posts + excluded.posts`
