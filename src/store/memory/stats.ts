import type { ArchiveTotals, ChannelStats, LanguageCount } from '../archive.ts'
import {
  DAY_MS,
  HOUR_MS,
  MEDIAN_POSTS,
  SIMILAR_PER_TARGET,
  SIMILAR_TARGETS,
  STATS_DAYS,
  TOP_ENTRIES,
  firstStatsDay,
  medianOf,
  postsPerDay,
} from '../channel-rules.ts'
import { featuresOf, type FeatureKind } from '../post-features.ts'
import { countedPosts, languageOf, ownNames, tally, type MemoryState } from './state.ts'

export function channelStats(state: MemoryState, channelId: number, now: number): ChannelStats {
  const posts = countedPosts(state, channelId)
  const published = posts.map((post) => post.publishedAt)
  const first = published.length === 0 ? null : Math.min(...published)
  const firstDay = firstStatsDay(now)
  const recent = published.filter((at) => {
    const day = Math.floor(at / DAY_MS) - firstDay
    return day >= 0 && day < STATS_DAYS
  })
  const daily = Array.from({ length: STATS_DAYS }, () => 0)
  const hours = Array.from({ length: 24 }, () => 0)
  for (const at of recent) {
    daily[Math.floor(at / DAY_MS) - firstDay]! += 1
    hours[Math.floor(at / HOUR_MS) % 24]! += 1
  }
  const views = posts.flatMap((post) => post.views?.value ?? []).slice(-MEDIAN_POSTS)
  const top = (kind: FeatureKind) => tally(namesIn(state, channelId, [kind])).slice(0, TOP_ENTRIES)
  return {
    posts: posts.length,
    posts30d: recent.length,
    postsPerDay: postsPerDay(recent.length, first, now),
    medianViews: medianOf(views),
    firstPostAt: first,
    lastPostAt: published.length === 0 ? null : Math.max(...published),
    daily,
    hours,
    topHashtags: top('hashtag'),
    topDomains: top('domain'),
    forwardsFrom: top('forward'),
    forwardedBy: forwardedBy(state, channelId),
    similar: similarTo(state, channelId),
  }
}

function namesIn(state: MemoryState, channelId: number, kinds: readonly FeatureKind[]): string[] {
  const features = countedPosts(state, channelId).flatMap(featuresOf)
  return features.filter(({ kind }) => kinds.includes(kind)).map(({ value }) => value)
}

function forwardedBy(state: MemoryState, channelId: number) {
  const names = new Set(ownNames(state, channelId).map((name) => name.key))
  return [...state.channels.values()]
    .filter((channel) => channel.id !== channelId)
    .map(({ id, username }) => {
      const count = namesIn(state, id, ['forward']).filter((name) => names.has(name)).length
      return { id, value: username, count }
    })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.id - b.id)
    .slice(0, TOP_ENTRIES)
    .map(({ value, count }) => ({ value, count }))
}

function similarTo(state: MemoryState, channelId: number): string[] {
  const named = ['forward', 'mention'] as const
  const targets = tally(namesIn(state, channelId, named)).slice(0, SIMILAR_TARGETS)
  const shared = new Map<number, number>()
  for (const { value } of targets) {
    const namers = [...state.channels.keys()]
      .filter((id) => id !== channelId)
      .map((id) => ({
        id,
        count: namesIn(state, id, named).filter((name) => name === value).length,
      }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || a.id - b.id)
      .slice(0, SIMILAR_PER_TARGET)
    for (const { id } of namers) shared.set(id, (shared.get(id) ?? 0) + 1)
  }
  return [...shared]
    .toSorted(([a, x], [b, y]) => y - x || a - b)
    .slice(0, TOP_ENTRIES)
    .map(([id]) => state.channels.get(id)!.username)
}

export function languageCounts(state: MemoryState, now: number): LanguageCount[] {
  const firstDay = firstStatsDay(now)
  const posts = countedPosts(state)
  const held = [...state.channels.keys()].flatMap((id) => languageOf(state, id) ?? [])
  const spoken = posts.flatMap((post) => post.language ?? [])
  const recent = posts
    .filter(({ publishedAt }) => {
      const day = Math.floor(publishedAt / DAY_MS) - firstDay
      return day >= 0 && day < STATS_DAYS
    })
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
  const waiting = [...state.changes.values()].toSorted((a, b) => a.seq - b.seq)
  const statuses = tally(channels.map((channel) => channel.status))
  return {
    channels: channels.length,
    channelsByStatus: Object.fromEntries(statuses.map(({ value, count }) => [value, count])),
    posts: published.length,
    oldestPostAt: published.length === 0 ? null : Math.min(...published),
    newestPostAt: published.length === 0 ? null : Math.max(...published),
    pendingChanges: waiting.length,
    oldestPendingAt: waiting[0]?.at ?? null,
  }
}
