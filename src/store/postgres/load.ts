import { HOUR_MS } from '../../model/time.ts'
import type {
  Edges,
  ErasureRow,
  Known,
  LanguageRow,
  MemberRow,
  PostHead,
  Wanted,
} from '../plan/rows.ts'
import { UNCOUNTED } from '../post-codec.ts'
import type { Queries } from './database.ts'
import { loadEdits } from './edits.ts'
import { loadGrowth } from './growth.ts'
import { loadIdentity } from './load-identity.ts'
import {
  ASKED,
  headsOfHour,
  listsOf,
  loadHeads,
  loadPosts,
  loadVersions,
  lowestHeads,
} from './post-rows.ts'

/**
 * Loads what a plan asks for, in one round trip in all but the rarest cases. Channels are locked before anything else about
 * them is read, and every writer locks the channel it writes about: so what a plan knows stays true until it is written.
 */
export async function load(tx: Queries, wanted: Wanted): Promise<Known> {
  const refs = (wanted.posts ?? []).flatMap(({ channelId, numbers }) =>
    numbers.map((number) => ({ channelId, number })),
  )
  const { newChannelId, channels, heads = [], lowest, published, versions = [] } = wanted
  const { recent = [], languages = [], edges = [], erasures, edits = [], growth = [] } = wanted
  const { identity, id, old, ...known } = await together({
    identity: channels ? loadIdentity(tx, channels) : {},
    id: newChannelId === undefined ? {} : newId(tx, newChannelId),
    posts: loadPosts(tx, refs),
    members: tx.all<MemberRow>(MEMBERS, ...listsOf(refs)),
    heads: lowest ? lowestHeads(tx, lowest) : loadHeads(tx, heads),
    versions: loadVersions(tx, versions),
    edits: loadEdits(tx, edits),
    recent: loadRecent(tx, recent),
    languages: tx.all<LanguageRow>(LANGUAGES, languages),
    growth: loadGrowth(tx, growth),
    edges: Promise.all(edges.map((edge) => edgesOf(tx, edge))),
    erasures: erasures
      ? tx.all<ErasureRow>(ERASURES, erasures.channelId ?? 0, erasures.heir ?? 0)
      : [],
    old: published ? publishedBefore(tx, published) : {},
  })
  return { ...known, ...identity, ...id, ...old }
}

/** Awaits all parts. Their statements are sent in this order without waiting for each other. */
async function together<T extends Readonly<Record<string, unknown>>>(parts: T) {
  const values = await Promise.all(Object.values(parts))
  const named = Object.keys(parts).map((name, i) => [name, values[i]])
  return Object.fromEntries(named) as { -readonly [K in keyof T]: Awaited<T[K]> }
}

/** With a number, the caller has to be alone on the store: two at once could set the sequence back. */
function newId(tx: Queries, above: true | number) {
  type Id = Pick<Known, 'newChannelId'>
  return above === true ? tx.get<Id>(NEW_ID) : tx.get<Id>(PASS_ID, above)
}

function loadRecent(tx: Queries, recent: NonNullable<Wanted['recent']>) {
  return tx.all<{ channelId: number; posts: number }>(
    RECENT,
    recent.map(({ channelId }) => channelId),
    recent.map(({ fromHour }) => fromHour),
    recent.map(({ toHour }) => toHour),
  )
}

/** Found through the hours that have posts. */
async function edgesOf(
  tx: Queries,
  { channelId, except }: { readonly channelId: number; readonly except: readonly number[] },
): Promise<Edges> {
  const [first, last] = await Promise.all([
    tx.get<{ at: number }>(FIRST, channelId, except),
    tx.get<{ at: number }>(LAST, channelId, except),
  ])
  return { channelId, firstPostAt: first?.at ?? null, lastPostAt: last?.at ?? null }
}

/** Hour by hour: the posts published in an hour lie between the first and last number recorded for it. */
async function publishedBefore(
  tx: Queries,
  { before, limit }: NonNullable<Wanted['published']>,
): Promise<Pick<Known, 'heads' | 'hours'>> {
  const found = await tx.all<HourRef>(OLD_HOURS, Math.floor(before / HOUR_MS), limit)
  const ids = found.map(({ channelId }) => channelId)
  // Read only now that nobody else writes them: whoever held the lock may have added posts to an hour.
  const [, held] = await Promise.all([
    tx.run(HOLD, [...new Set(ids)]),
    tx.all<HourRow>(
      HELD_HOURS,
      ids,
      found.map(({ hour }) => hour),
    ),
  ])
  const heads: PostHead[] = []
  const hours: { channelId: number; hour: number }[] = []
  for (const { channelId, hour, first, last } of held) {
    if (heads.length >= limit) break
    const end = Math.min((hour + 1) * HOUR_MS, before)
    const range = [channelId, first, last, hour * HOUR_MS, end] as const
    heads.push(...(await headsOfHour(tx, range, limit - heads.length)))
    const isDone = end === (hour + 1) * HOUR_MS && heads.length < limit
    if (isDone) hours.push({ channelId, hour })
  }
  return { heads, hours }
}

interface HourRef {
  readonly channelId: number
  readonly hour: number
}

interface HourRow extends HourRef {
  readonly first: number
  readonly last: number
}

const NEW_ID = `select nextval('channel_ids')::integer as "newChannelId"`
const PASS_ID = `select setval('channel_ids', greatest(nextval('channel_ids'), $1::bigint + 1))::integer as "newChannelId"`
const MEMBERS = `select f.* from ${ASKED} cross join lateral (
  select channel_id as "channelId", number, album from post_members m
  where m.channel_id = r.channel_id and m.number = r.number limit 1) f`
const RECENT = `select r.channel_id as "channelId", (select coalesce(sum(h.posts), 0) from channel_hours h
    where h.channel_id = r.channel_id and h.hour >= r.first and h.hour < r.last)::integer as posts
  from unnest($1::int[], $2::int[], $3::int[]) as r (channel_id, first, last)`
const LANGUAGES = `select channel_id as "channelId", code, posts, weight from channel_languages
  where channel_id = any($1::int[])`
const edge = (
  at: 'min' | 'max',
  order: 'asc' | 'desc',
) => `select e.at from channel_hours h cross join lateral (
    select ${at}(published_at) as at from posts where channel_id = $1
      and number between h.first_number and h.last_number and number <> all($2::int[]) and flags & ${UNCOUNTED} = 0
      and published_at >= h.hour::bigint * ${HOUR_MS} and published_at < (h.hour::bigint + 1) * ${HOUR_MS}) e
  where h.channel_id = $1 and h.posts > 0 and e.at is not null order by h.hour ${order} limit 1`
const FIRST = edge('min', 'asc')
const LAST = edge('max', 'desc')
const ERASURES = `select channel_id as "channelId", heir, begun_at as "begunAt" from erasures
  where channel_id = $1 or heir = $2 order by channel_id for update`
const OLD_HOURS = `select channel_id as "channelId", hour
  from channel_hours where hour <= $1 order by hour, channel_id limit $2`
const HOLD = 'select 1 from channels where id = any($1::int[]) order by id for update'
const HELD_HOURS = `select h.channel_id as "channelId", h.hour, h.first_number as first, h.last_number as last
  from unnest($1::int[], $2::int[]) as r (channel_id, hour)
  join channel_hours h on h.channel_id = r.channel_id and h.hour = r.hour order by h.hour, h.channel_id`
