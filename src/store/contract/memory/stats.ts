import { DAY_MS, HOUR_MS } from '../../../model/time.ts'
import type { ArchiveTotals, ChannelStats, LanguageCount } from '../../archive.ts'
import {
  MEDIAN_POSTS,
  NAMERS_PER_TARGET,
  SIMILAR_TARGETS,
  STATS_DAYS,
  TOP_ENTRIES,
  activityOf,
  firstStatsDay,
  mergeTallies,
  type Tally,
} from '../../channel-rules.ts'
import { firstGrowthDay } from '../../growth-rules.ts'
import { featuresOf, type FeatureKind } from '../../post-features.ts'
import { daysBetween } from './growth.ts'
import { countedPosts, ownNames, tally, type MemoryState } from './state.ts'

export function channelStats(state: MemoryState, channelId: number, now: number): ChannelStats {
  const posts = countedPosts(state, channelId)
  const published = posts.map((post) => post.publishedAt)
  const isNone = posts.length === 0
  const extent = {
    posts: posts.length,
    first: isNone ? null : Math.min(...published),
    last: isNone ? null : Math.max(...published),
  }
  const recent = published.filter((at) => isRecent(at, now))
  const hours = recent.map((at) => ({ hour: Math.floor(at / HOUR_MS), posts: 1 }))
  const views = posts.flatMap((post) => post.views?.value ?? []).slice(-MEDIAN_POSTS)
  const top = (kind: FeatureKind) => tally(namesIn(state, channelId, kind)).slice(0, TOP_ENTRIES)
  return {
    ...activityOf(extent, hours, views, now),
    topHashtags: top('hashtag'),
    topDomains: top('domain'),
    forwardsFrom: top('forward'),
    forwardedBy: forwardedBy(state, channelId),
    similar: similarTo(state, channelId),
    growth: daysBetween(state, channelId, firstGrowthDay(now), Math.floor(now / DAY_MS)),
  }
}

function namesIn(state: MemoryState, channelId: number, wanted: FeatureKind): string[] {
  const features = countedPosts(state, channelId).flatMap(featuresOf)
  return features.filter(({ kind }) => kind === wanted).map(({ value }) => value)
}

/** The other channels that name it most often, up to the bound. */
function namersOf(state: MemoryState, name: string, kind: FeatureKind, except: number) {
  return [...state.channels.keys()]
    .filter((id) => id !== except)
    .map((id) => ({ id, count: namesIn(state, id, kind).filter((n) => n === name).length }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.id - b.id)
    .slice(0, NAMERS_PER_TARGET)
}

function forwardedBy(state: MemoryState, channelId: number): Tally[] {
  const forwards = new Map<number, number>()
  for (const { key } of ownNames(state, channelId)) {
    for (const { id, count } of namersOf(state, key, 'forward', channelId)) {
      forwards.set(id, (forwards.get(id) ?? 0) + count)
    }
  }
  return mostOf(state, forwards)
}

function similarTo(state: MemoryState, channelId: number): string[] {
  const top = (kind: FeatureKind) =>
    tally(namesIn(state, channelId, kind)).slice(0, SIMILAR_TARGETS)
  const targets = mergeTallies([top('forward'), top('mention')]).slice(0, SIMILAR_TARGETS)
  const shared = new Map<number, number>()
  for (const { value } of targets) {
    const namers = [
      ...namersOf(state, value, 'forward', channelId),
      ...namersOf(state, value, 'mention', channelId),
    ]
    for (const id of new Set(namers.map((namer) => namer.id))) {
      shared.set(id, (shared.get(id) ?? 0) + 1)
    }
  }
  return mostOf(state, shared).map(({ value }) => value)
}

function mostOf(state: MemoryState, counts: ReadonlyMap<number, number>): Tally[] {
  return [...counts]
    .toSorted(([a, x], [b, y]) => y - x || a - b)
    .slice(0, TOP_ENTRIES)
    .map(([id, count]) => ({ value: state.channels.get(id)!.username, count }))
}

function isRecent(publishedAt: number, now: number): boolean {
  const day = Math.floor(publishedAt / DAY_MS) - firstStatsDay(now)
  return day >= 0 && day < STATS_DAYS
}

export function languageCounts(state: MemoryState, now: number): LanguageCount[] {
  const posts = countedPosts(state)
  const held = [...state.channels.values()].flatMap(({ language }) => language ?? [])
  const spoken = posts.flatMap((post) => post.language ?? [])
  const recent = posts
    .filter(({ publishedAt }) => isRecent(publishedAt, now))
    .flatMap((post) => post.language ?? [])
  return [...new Set([...held, ...spoken])]
    .map((code) => ({
      code,
      channels: held.filter((language) => language === code).length,
      posts30d: recent.filter((language) => language === code).length,
    }))
    .toSorted(
      (a, b) => b.channels - a.channels || b.posts30d - a.posts30d || (a.code < b.code ? -1 : 1),
    )
}

export function archiveTotals(state: MemoryState): ArchiveTotals {
  const channels = [...state.channels.values()]
  const published = countedPosts(state).map((post) => post.publishedAt)
  const statuses = tally(channels.map((channel) => channel.status))
  return {
    channels: channels.length,
    channelsByStatus: Object.fromEntries(statuses.map(({ value, count }) => [value, count])),
    posts: published.length,
    oldestPostAt: published.length === 0 ? null : Math.min(...published),
    newestPostAt: published.length === 0 ? null : Math.max(...published),
    removals: state.removed,
  }
}
