import type { Channel } from '../../../model/channel.ts'
import type { ArchivedPost } from '../../../model/post.ts'
import { postHas } from '../../../text/post-features.ts'
import type { ChannelQuery, Page, PostListQuery } from '../../archive.ts'
import { foldQueryWords, wordsOfChannel } from '../../channel-words.ts'
import { holdsHashes } from '../../terms.ts'
import { relevanceClass } from './relevance-class.ts'
import { keptPosts, viewChannel, type KeptPost, type MemoryState } from './state.ts'

type Position = readonly (number | string)[]

export function listPosts(state: MemoryState, query: PostListQuery): Page<ArchivedPost, number> {
  const sign = query.order === 'newest' ? -1 : 1
  const posts = keptPosts(state, query.channelId)
    .filter((kept) => isListed(kept, query))
    .map((kept) => kept.post)
    .filter((post) => query.after === null || sign * (post.number - query.after) > 0)
    .toSorted((a, b) => sign * (a.number - b.number))
  const items = posts.slice(0, query.limit)
  return { items, next: posts.length > query.limit ? (items.at(-1)?.number ?? null) : null }
}

function isListed({ post, terms }: KeptPost, query: PostListQuery): boolean {
  const has = postHas(post)
  const { words } = query
  return (
    (query.includeDeleted || post.deletedAt === null) &&
    (query.includeService || post.kind === 'post') &&
    (query.since === null || post.publishedAt >= query.since) &&
    (query.until === null || post.publishedAt < query.until) &&
    (query.forwards === 'include' ||
      (query.forwards === 'only') === (post.forwardedFrom !== null)) &&
    query.has.every((value) => has.includes(value)) &&
    (words === null || ((terms === null || holdsHashes(terms, words.hashes)) && words.holds(post)))
  )
}

export function listChannels(state: MemoryState, query: ChannelQuery): Page<Channel, string> {
  const after = query.after === null ? null : (JSON.parse(query.after) as Position)
  const isByClass = query.sort === 'relevance' && query.words.length > 0
  const isUp = query.sort === 'username'
  const words = foldQueryWords(query.words)
  const found = [...state.channels.values()].flatMap((kept) => {
    const channel = viewChannel(state, kept)
    const rank = relevanceClass(channel.username, wordsOfChannel(channel), words)
    if (rank === undefined || !isWanted(channel, query)) return []
    const value = orderValue(channel, kept.postsPerDay, query.sort)
    return [{ channel, position: [isByClass ? rank : 0, value, channel.id] as Position }]
  })
  const sorted = found
    .toSorted((a, b) => compare(a.position, b.position, isUp))
    .filter(({ position }) => !after || compare(position, after, isUp) > 0)
  const page = sorted.slice(0, query.limit)
  const last = sorted.length > query.limit ? page.at(-1)?.position : undefined
  const next = last === undefined ? null : JSON.stringify(last)
  return { items: page.map(({ channel }) => channel), next }
}

function orderValue(channel: Channel, pace: number, sort: ChannelQuery['sort']): number | string {
  switch (sort) {
    case 'subscribers':
    case 'relevance':
      return channel.subscribers?.value ?? -1
    case 'posts_per_day':
      return pace
    case 'newest_post':
      return channel.lastPostAt ?? -1
    case 'added':
      return channel.addedAt
    case 'username':
      return channel.username.toLowerCase()
  }
}

function compare(a: Position, b: Position, isUp: boolean): number {
  const byValue = a[1]! < b[1]! ? -1 : a[1]! > b[1]! ? 1 : 0
  return Number(a[0]) - Number(b[0]) || (isUp ? byValue : -byValue) || Number(a[2]) - Number(b[2])
}

function isWanted(channel: Channel, query: ChannelQuery): boolean {
  const subscribers = channel.subscribers?.value ?? -1
  return (
    (query.lang.length === 0 || query.lang.includes(channel.language ?? '')) &&
    (query.status.length === 0 || query.status.includes(channel.status)) &&
    (query.minSubscribers === null || subscribers >= query.minSubscribers) &&
    (query.maxSubscribers === null || (subscribers >= 0 && subscribers <= query.maxSubscribers)) &&
    (query.verified === null || channel.verified === query.verified) &&
    (query.activeSince === null || (channel.lastPostAt ?? -1) >= query.activeSince)
  )
}
