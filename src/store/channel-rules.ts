import type { ChannelProfile } from '../model/channel.ts'
import { DAY_MS } from '../model/time.ts'
import { newerCount, type Derived } from './archive.ts'

/** What the store decides about channels. Pure, so that every adapter decides alike. */

export const STATS_DAYS = 30

/** Why a channel is `gone` whose name another channel now shows. */
export const NAME_TAKEN = 'name_taken'

/**
 * Does an entry of the opt-out register that was found by a name mean this channel? Names wander: where both numeric ids
 * are known they decide, or whoever takes over a name and asks to be left out would erase its former owner.
 */
export function isMeant(
  removal: { readonly platformId: number | null },
  channel: { readonly platformId: number | null },
): boolean {
  const ids = [removal.platformId, channel.platformId]
  return ids.includes(null) || ids[0] === ids[1]
}

export type ProfileFields = Omit<ChannelProfile, 'username' | 'platformId'>

/** What a page said merged into what was known; an older page only adds counts nobody had. */
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

/** Did anything move that the index keeps or a listing shows? */
export function isProfileMoved(old: ProfileFields, next: ProfileFields): boolean {
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

/** Posts by UTC day and by hour of the day, of hours since the epoch within the 30 days. */
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

/** What a profile tells of a channel's posts: how many, when, and how often they were seen. */
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

/** Bounds of the profile's statistics: newest posts the median looks at, entries a list shows. */
export const MEDIAN_POSTS = 200
export const TOP_ENTRIES = 10
/** Similarity looks at the targets a channel names most; both it and `forwardedBy` at those who name a target most. */
export const SIMILAR_TARGETS = 16
export const NAMERS_PER_TARGET = 100

export interface Tally {
  readonly value: string
  readonly count: number
}

/** Sums lists up, most first, equals by name. */
export function sumUp(lists: readonly (readonly Tally[])[]): Tally[] {
  const sums = new Map<string, number>()
  for (const { value, count } of lists.flat()) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

/** Weight of a sighting and how it fades. Kept as a sum that only grows, so that its order never has to be recomputed. */
const SIGHTING_WEIGHT = { forward: 3, mention: 2, link: 1 } as const
export const SIGHTING_AGAIN_MS = 7 * DAY_MS
const FADE_MS = 30 * DAY_MS
const FADE_EPOCH = Date.UTC(2024, 0, 1)

export function sightingGain(how: keyof typeof SIGHTING_WEIGHT, at: number): number {
  return SIGHTING_WEIGHT[how] * Math.exp((at - FADE_EPOCH) / FADE_MS)
}

export function candidateScore(gain: number, now: number): number {
  return gain / Math.exp((now - FADE_EPOCH) / FADE_MS)
}

/** What a single link is worth after 90 days. A candidate below that is one that nobody names any more. */
const FORGOTTEN_SCORE = SIGHTING_WEIGHT.link * Math.exp((-90 * DAY_MS) / FADE_MS)

/** Candidates with less are forgotten. */
export function forgottenGain(now: number): number {
  return FORGOTTEN_SCORE * Math.exp((now - FADE_EPOCH) / FADE_MS)
}

/** Whole numbers, so that what is taken away later is exactly what was added. */
export function weightOf(derived: Pick<Derived, 'languageWeight'>): number {
  return Math.max(0, Math.round(derived.languageWeight * 1000))
}
