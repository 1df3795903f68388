import { HOUR_MS } from '../../model/time.ts'
import { UNCOUNTED } from '../post-codec.ts'
import type { Edges, HourDelta, Known, LanguageRow, PostHead, Wanted } from '../plan/rows.ts'
import { loadChannels, namesOfAll } from './channel-rows.ts'
import type { Database } from './database.ts'
import { loadEdits } from './edits.ts'
import { loadGrowth } from './growth.ts'
import { KEY_SPAN, keyOf } from './post-codec.ts'
import { loadHeads, loadMembers, loadRows, loadVersions, lowestHeads } from './post-rows.ts'
import { loadErasures } from './erasure-rows.ts'
import { loadRemovals } from './register.ts'
import { loadSchedule } from './schedule-rows.ts'

/** Loads what a plan asks for, inside its transaction. */
export function load(db: Database, wanted: Wanted): Known {
  const keys = (wanted.posts ?? []).flatMap(({ channelId, numbers }) =>
    numbers.map((number) => keyOf(channelId, number)),
  )
  return {
    ...(wanted.channels && loadIdentity(db, wanted.channels)),
    ...(wanted.newChannelId !== undefined && { newChannelId: db.get<{ id: number }>(NEW_ID)!.id }),
    ...(wanted.published && publishedBefore(db, wanted.published)),
    ...(wanted.heads && { heads: loadHeads(db, wanted.heads) }),
    ...(wanted.lowest && { heads: lowestHeads(db, wanted.lowest) }),
    posts: loadRows(db, keys),
    members: loadMembers(db, keys),
    versions: (wanted.versions ?? []).flatMap((ref) => loadVersions(db, ref)),
    edits: (wanted.edits ?? []).flatMap((ref) => loadEdits(db, ref)),
    recent: (wanted.recent ?? []).map(({ channelId, fromHour, toHour }) => ({
      channelId,
      posts: db.get<{ posts: number }>(RECENT, channelId, fromHour, toHour)!.posts,
    })),
    languages: (wanted.languages ?? []).flatMap((id) => db.all<LanguageRow>(LANGUAGES, id)),
    growth: (wanted.growth ?? []).flatMap((id) => loadGrowth(db, id)),
    edges: (wanted.edges ?? []).map((edge) => edgesOf(db, edge)),
    erasures: wanted.erasures ? loadErasures(db, wanted.erasures) : [],
  }
}

export function loadIdentity(
  db: Database,
  wanted: NonNullable<Wanted['channels']>,
): Required<Pick<Known, 'channels' | 'names' | 'schedules' | 'removals'>> {
  const channels = loadChannels(db, wanted)
  const names = namesOfAll(db, channels)
  const keys = [...(wanted.names ?? []), ...names.map(({ key }) => key)]
  const ids = [...(wanted.platformIds ?? []), ...channels.map(({ platformId }) => platformId)]
  return {
    channels,
    names,
    schedules: channels.flatMap(({ id }) => loadSchedule(db, id) ?? []),
    removals: loadRemovals(db, keys, ids),
  }
}

/** Found through the hours that have posts. */
function edgesOf(
  db: Database,
  { channelId, except }: { readonly channelId: number; readonly except: readonly number[] },
): Edges {
  const keys = JSON.stringify(except.map((number) => keyOf(channelId, number)))
  const at = (sql: string) => db.get<{ at: number }>(sql, channelId, keys)?.at ?? null
  return { channelId, firstPostAt: at(FIRST), lastPostAt: at(LAST) }
}

/** Hour by hour: the posts published in an hour lie between the first and last number recorded for it. */
function publishedBefore(
  db: Database,
  { before, limit }: NonNullable<Wanted['published']>,
): Pick<Known, 'heads' | 'hours'> {
  const heads: PostHead[] = []
  const hours: { channelId: number; hour: number }[] = []
  for (const row of db.all<Omit<HourDelta, 'posts'>>(
    OLD_HOURS,
    Math.floor(before / HOUR_MS),
    limit,
  )) {
    if (heads.length >= limit) break
    const { channelId, hour, first, last } = row
    const end = Math.min((hour + 1) * HOUR_MS, before)
    const range = [keyOf(channelId, first), keyOf(channelId, last), hour * HOUR_MS, end]
    const keys = db.all<{ key: number }>(OLD_POSTS, ...range, limit - heads.length)
    const refs = keys.map(({ key }) => ({ channelId, number: key % KEY_SPAN }))
    heads.push(...loadHeads(db, refs))
    const isDone = end === (hour + 1) * HOUR_MS && heads.length < limit
    if (isDone) hours.push({ channelId, hour })
  }
  return { heads, hours }
}

const NEW_ID = `select coalesce(max(seq), 0) + 1 as id from sqlite_sequence where name = 'channels'`
const RECENT = `select coalesce(sum(posts), 0) as posts from channel_hours
  where channel_id = ? and hour >= ? and hour < ?`
const LANGUAGES = `select channel_id as channelId, code, posts, weight from channel_languages where channel_id = ?`
const EDGE = `select p.published_at as at from channel_hours h cross join posts p
  on p.key between h.channel_id * ${KEY_SPAN} + h.first_number and h.channel_id * ${KEY_SPAN} + h.last_number
  where h.channel_id = ? and h.posts > 0 and p.flags & ${UNCOUNTED} = 0
    and p.published_at >= h.hour * ${HOUR_MS} and p.published_at < (h.hour + 1) * ${HOUR_MS}
    and p.key not in (select value from json_each(?))`
const FIRST = `${EDGE} order by h.hour, p.published_at limit 1`
const LAST = `${EDGE} order by h.hour desc, p.published_at desc limit 1`
const OLD_HOURS = `select channel_id as channelId, hour, first_number as first, last_number as last
  from channel_hours where hour <= ? order by hour, channel_id limit ?`
const OLD_POSTS = `select key from posts
  where key between ? and ? and published_at >= ? and published_at < ? order by key limit ?`
