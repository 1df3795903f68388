import { channelLanguage } from '../../model/channel-language.ts'
import { DAY_MS } from '../../model/time.ts'
import { firstStatsDay, postsPerDay } from '../channel-rules.ts'
import type { Draft } from './draft.ts'
import type { ChannelRow, Plan } from './rows.ts'
import type { ChannelSums, StatsDraft } from './stats-draft.ts'

/** Updates the rows of channels after changes to their posts; for the channels in `paced`, also posts per day as of `at`. */
export function* settleStats(draft: Draft, at: number, paced: readonly number[] = []): Plan<void> {
  const { stats } = draft
  for (const touched of draft.posts.touched()) {
    if (touched.extent !== 'content') continue
    stats.replace(touched, draft.channel(touched.ref.channelId) !== undefined)
  }
  for (const { language, publishedAt, isCounted } of draft.posts.erasedHeads) {
    if (isCounted) stats.addDay(language, publishedAt, -1)
  }
  yield* askForStats(draft, at, paced)
  for (const channelId of new Set([...stats.sums.keys(), ...paced])) {
    const channel = draft.channel(channelId)
    if (!channel) continue
    const spoken = settleLanguage(draft, channel, at)
    const bounded = settleBounds(stats, spoken)
    draft.putChannel(paced.includes(channelId) ? settlePace(stats, bounded, at) : bounded)
  }
}

/** The hours over which posts per day is computed. */
export function recentHours(channelId: number, at: number) {
  const toHour = (Math.floor(at / DAY_MS) + 1) * 24
  return { channelId, fromHour: firstStatsDay(at) * 24, toHour }
}

function* askForStats(draft: Draft, at: number, paced: readonly number[]): Plan<void> {
  const { stats } = draft
  const sums = [...stats.sums].filter(([id]) => draft.channel(id))
  const isEdgeGone = (id: number, { first, last }: ChannelSums['gone']) => {
    const { firstPostAt, lastPostAt } = draft.channel(id)!
    return first <= (firstPostAt ?? Infinity) || last >= (lastPostAt ?? -Infinity)
  }
  const recent = paced.filter((id) => !stats.recent.has(id)).map((id) => recentHours(id, at))
  const edges = sums
    .filter(([id, { gone }]) => gone.first !== Infinity && isEdgeGone(id, gone))
    .map(([channelId, { numbers }]) => ({ channelId, except: numbers }))
  const isSpokenOf = (id: number, { languages }: ChannelSums) =>
    !stats.known.has(id) && [...languages.values()].some(({ posts, weight }) => posts || weight)
  const languages = sums.filter(([id, sum]) => isSpokenOf(id, sum)).map(([id]) => id)
  if (recent.length + edges.length + languages.length === 0) return
  yield* draft.ask({ recent, edges, languages })
}

function settleLanguage(draft: Draft, channel: ChannelRow, at: number): ChannelRow {
  const { stats } = draft
  const moved = stats.sums.get(channel.id)?.languages ?? new Map<string, never>()
  const known = stats.known.get(channel.id)
  if (!known || moved.size === 0) return channel
  for (const [code, { posts, weight }] of moved) {
    const old = known.get(code)
    if (posts === 0 && weight === 0) continue
    const next = { posts: (old?.posts ?? 0) + posts, weight: (old?.weight ?? 0) + weight }
    const row = { channelId: channel.id, code, ...next }
    known.set(code, row)
    stats.languages.push(row)
  }
  const weights = new Map([...known.values()].map(({ code, weight }) => [code, weight]))
  const language = channelLanguage(weights, channel.language)
  if (language !== channel.language) draft.markLanguage(channel.id, at)
  return { ...channel, language }
}

function settleBounds(stats: StatsDraft, channel: ChannelRow): ChannelRow {
  const sums = stats.sums.get(channel.id)
  if (!sums) return channel
  const { firstPostAt, lastPostAt } = stats.edges.get(channel.id) ?? channel
  const first = Math.min(firstPostAt ?? Infinity, sums.come.first)
  const last = Math.max(lastPostAt ?? -Infinity, sums.come.last)
  return {
    ...channel,
    posts: channel.posts + sums.posts,
    firstPostAt: first === Infinity ? null : first,
    lastPostAt: last === -Infinity ? null : last,
  }
}

function settlePace(stats: StatsDraft, channel: ChannelRow, at: number): ChannelRow {
  const { fromHour, toHour } = recentHours(channel.id, at)
  let posts = stats.recent.get(channel.id) ?? 0
  for (const [hour, bucket] of stats.sums.get(channel.id)?.hours ?? []) {
    if (hour >= fromHour && hour < toHour) posts += bucket.posts
  }
  return { ...channel, postsPerDay: postsPerDay(posts, channel.firstPostAt, at) }
}
