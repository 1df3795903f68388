import type { ChannelProfile, ChannelStatus } from '../model/channel.ts'
import { DAY_MS } from '../model/time.ts'
import { newerCount, type ArchiveTotals, type Derived } from './archive.ts'

/** What the store decides about channels. Pure, so that every adapter decides the same. */

export const STATS_DAYS = 30

/** The reason of a channel that is `gone` because another channel now has its name. */
export const NAME_TAKEN = 'name_taken'

/**
 * Whether an entry of the opt-out register that was found by name means this channel. Names change owners, so where both
 * numeric ids are known they decide: otherwise the new owner of a name, asking to be removed, would erase its former owner.
 */
export function appliesTo(
  removal: { readonly platformId: number | null },
  channel: { readonly platformId: number | null },
): boolean {
  const ids = [removal.platformId, channel.platformId]
  return ids.includes(null) || ids[0] === ids[1]
}

export type ProfileFields = Omit<ChannelProfile, 'username' | 'platformId'>

/** Merges the profile a page showed into the known one. A page older than what is known only adds counts that were missing. */
export function mergeProfile(
  old: ProfileFields,
  seen: ChannelProfile,
  isLate: boolean,
): ProfileFields {
  const said = isLate ? old : seen
  return {
    title: said.title,
    description: said.description,
    avatarUrl: said.avatarUrl,
    verified: said.verified,
    subscribers: newerCount(old.subscribers, seen.subscribers),
    counters: {
      photos: newerCount(old.counters.photos, seen.counters.photos),
      videos: newerCount(old.counters.videos, seen.counters.videos),
      files: newerCount(old.counters.files, seen.counters.files),
      links: newerCount(old.counters.links, seen.counters.links),
    },
  }
}

/** Whether anything changed that the index keeps or a listing shows. */
export function isProfileChanged(old: ProfileFields, next: ProfileFields): boolean {
  return (
    old.title !== next.title ||
    old.description !== next.description ||
    old.verified !== next.verified ||
    old.subscribers?.value !== next.subscribers?.value
  )
}

/** Posts a day over the last 30 days, or over its life when it is younger. */
export function postsPerDay(posts30d: number, firstPostAt: number | null, now: number): number {
  if (firstPostAt === null) return 0
  const lifeDays = Math.floor(now / DAY_MS) - Math.floor(firstPostAt / DAY_MS) + 1
  return posts30d / Math.min(STATS_DAYS, Math.max(1, lifeDays))
}

/** The first of the 30 UTC days that end with today. */
export function firstStatsDay(now: number): number {
  return Math.floor(now / DAY_MS) - STATS_DAYS + 1
}

/** Sums counts per hour since the epoch, all within the 30 days, by UTC day and by hour of the day. */
function spreadHours(rows: readonly HourCount[], now: number) {
  const firstHour = firstStatsDay(now) * 24
  const daily = Array.from({ length: STATS_DAYS }, () => 0)
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { hour, posts } of rows) {
    daily[Math.floor((hour - firstHour) / 24)]! += posts
    hours[hour % 24]! += posts
  }
  return { daily, hours, posts30d: daily.reduce((sum, posts) => sum + posts, 0) }
}

export interface HourCount {
  readonly hour: number
  readonly posts: number
}

export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]!
  return sorted.length % 2 === 1 ? upper : Math.round((sorted[middle - 1]! + upper) / 2)
}

export interface Extent {
  readonly posts: number
  readonly first: number | null
  readonly last: number | null
}

/** What a channel's profile tells about its posts: how many, when they were published, how often they were viewed. */
export function activityOf(
  { posts, first, last }: Extent = { posts: 0, first: null, last: null },
  rows: readonly HourCount[],
  views: readonly number[],
  now: number,
) {
  const { posts30d, daily, hours } = spreadHours(rows, now)
  return {
    posts,
    posts30d,
    postsPerDay: postsPerDay(posts30d, first, now),
    medianViews: medianOf(views),
    firstPostAt: first,
    lastPostAt: last,
    daily,
    hours,
  }
}

/** A sum that the store keeps up to date: `posts`, `removals`, `channels/<status>`; and the `oldest` and `newest` post's time. */
export interface Total {
  readonly name: string
  readonly value: number | null
}

export function totalsOf(rows: readonly Total[]): ArchiveTotals {
  const sums = new Map(rows.map(({ name, value }) => [name, value]))
  const statuses = rows.flatMap(({ name, value }) => {
    const [, status] = /^channels\/(.*)$/.exec(name) ?? []
    return status !== undefined && value ? [[status as ChannelStatus, value] as const] : []
  })
  return {
    channels: statuses.reduce((all, [, count]) => all + count, 0),
    channelsByStatus: Object.fromEntries(statuses),
    posts: sums.get('posts') ?? 0,
    oldestPostAt: sums.get('oldest') ?? null,
    newestPostAt: sums.get('newest') ?? null,
    removals: sums.get('removals') ?? 0,
  }
}

/** How many of the newest posts the median of views takes in, and how many entries a list shows. */
export const MEDIAN_POSTS = 200
export const TOP_ENTRIES = 10
/**
 * Similarity considers the names that a channel names most. Both similarity and `forwardedBy` consider only the channels
 * that name such a target most.
 */
export const SIMILAR_TARGETS = 16
export const NAMERS_PER_TARGET = 100

export interface Tally {
  readonly value: string
  readonly count: number
}

/** Adds up lists of counts: highest first, ties by name. */
export function mergeTallies(lists: readonly (readonly Tally[])[]): Tally[] {
  const sums = new Map<string, number>()
  for (const { value, count } of lists.flat()) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

/**
 * The weight of a sighting and how it decays. Instead of shrinking old scores, newer sightings add more: the stored sum only
 * grows, so that the order of candidates never has to be recomputed.
 */
const SIGHTING_WEIGHT = { forward: 3, mention: 2, link: 1 } as const
export const SIGHTING_AGAIN_MS = 7 * DAY_MS
const FADE_MS = 30 * DAY_MS
const FADE_EPOCH = Date.UTC(2024, 0, 1)

export function sightingGain(how: keyof typeof SIGHTING_WEIGHT, at: number): number {
  return SIGHTING_WEIGHT[how] * Math.exp((at - FADE_EPOCH) / FADE_MS)
}

/** The score of a single link after 90 days. A candidate below it is no longer named by anyone. */
const FORGOTTEN_SCORE = SIGHTING_WEIGHT.link * Math.exp((-90 * DAY_MS) / FADE_MS)

/** Candidates with a smaller stored sum are forgotten. */
export function forgottenGain(now: number): number {
  return FORGOTTEN_SCORE * Math.exp((now - FADE_EPOCH) / FADE_MS)
}

/** A whole number, so that what is subtracted later is exactly what was added. */
export function weightOf(derived: Pick<Derived, 'languageWeight'>): number {
  return Math.max(0, Math.round(derived.languageWeight * 1000))
}
