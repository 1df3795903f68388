import type { z } from 'zod'
import type { channelListView, channelProfileView } from '../views/channel.ts'
import { mediaKinds, mediaOf, reactionTotal, type Item } from './items.ts'
import { DESCRIPTION, cut } from './markdown-words.ts'

/**
 * Replies as structured content for a model's program, beside their text: the same facts, each once. What is null or empty
 * is left out, a count becomes its number, and what only a page or an archive needs is left to the HTTP API.
 */
export function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  if ('raw' in value && 'value' in value) return value.value
  return compactObject(value)
}

export function compactObject(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const made = compact(item)
      return isEmpty(made) ? [] : [[key, made]]
    }),
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A post in a list or by itself; `within` a channel that the reply already names. */
export function compactPost(item: Item, within: 'channel' | 'list' = 'list'): object {
  if (item.published_at === undefined) return { id: item.id }
  const { channel, forwarded_from: forward, reply_to: reply, cluster, link_preview: preview } = item
  return compactObject({
    id: item.id,
    url: item.url,
    channel:
      within === 'list' && channel ? { username: channel.username, title: channel.title } : null,
    published_at: item.published_at,
    edited: item.edited || null,
    deleted_at: item.deleted_at,
    author: item.author,
    views: item.views,
    reactions: reactionTotal(item) || null,
    media: mediaKinds(item),
    files: mediaOf(item).flatMap(({ file_name: name }) => name ?? []),
    forwarded_from: forward && { name: forward.name, post_url: forward.post_url },
    reply_to: reply?.url,
    snippet: item.snippet,
    text: item.text,
    poll: item.poll,
    links: item.text === undefined ? item.links : null,
    link_preview: preview && { url: preview.url, title: preview.title },
    incomplete: item.incomplete,
    missing: item.missing,
    cluster: cluster && { size: cluster.size, channels: cluster.channels, first: cluster.first },
    versions: item.versions,
  })
}

export function compactPosts(items: readonly Item[], within?: 'channel'): object[] {
  return items.map((item) => compactPost(item, within))
}

export function compactListedChannel(channel: z.output<typeof channelListView>): unknown {
  const { username, title, description, verified, language, subscribers, posts } = channel
  return compact({
    username,
    title,
    description: cut(description, DESCRIPTION),
    verified: verified || null,
    language,
    subscribers,
    posts,
    last_post_at: channel.last_post_at,
    status: channel.index.status,
  })
}

export function compactProfile(channel: z.output<typeof channelProfileView>): unknown {
  const { daily: _daily, hours: _hours, posts_30d: posts30d, ...stats } = channel.stats
  const tally = (list: readonly { readonly value: string; readonly count: number }[]) =>
    Object.fromEntries(list.map(({ value, count }) => [value, count]))
  return compact({
    username: channel.username,
    url: channel.url,
    title: channel.title,
    description: channel.description,
    verified: channel.verified || null,
    language: channel.language,
    subscribers: channel.subscribers,
    stats: {
      ...stats,
      posts_30d: posts30d,
      top_hashtags: tally(stats.top_hashtags),
      top_domains: tally(stats.top_domains),
      forwards_from: tally(stats.forwards_from),
      forwarded_by: tally(stats.forwarded_by),
    },
    similar: channel.similar,
    index: { status: channel.index.status, reason: channel.index.reason },
  })
}
