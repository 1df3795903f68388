import { nameKey } from '../model/channel-name.ts'
import type { Channel, ChannelCounters } from '../model/channel.ts'
import type { Count } from '../model/count.ts'
import type { ChannelRow } from './plan/rows.ts'

/** Converts channels to rows and back, for every database. */

type Packed = Readonly<ReturnType<typeof packChannel>>

/** A row of the table of channels. */
export interface StoredChannel extends Omit<Packed, 'name_key' | 'subscribers' | 'verified'> {
  /** 1 or 0 in a database that has no boolean type. */
  readonly verified: boolean | number
}

/** A row joined with what other tables have about the channel. */
export interface ChannelView extends StoredChannel {
  readonly next_visit_at: number | null
  readonly gap_top: number | null
  readonly walked_to: number | null
  readonly archive_from: number | null
  readonly aliases: readonly string[] | null
  readonly languages: readonly (readonly [code: string, posts: number])[] | null
}

interface PackedCounts extends ChannelCounters {
  readonly subscribers: Count | null
}

export function unpackView(row: ChannelView): Channel {
  const { postsPerDay: _pace, ...fields } = unpackChannel(row)
  const languages = row.languages ?? []
  const spoken = languages.reduce((sum, [, posts]) => sum + posts, 0)
  return {
    ...fields,
    aliases: row.aliases ?? [],
    languages: languages.map(([code, posts]) => ({ code, share: posts / spoken })),
    nextVisitAt: row.next_visit_at,
    archiveFrom: row.archive_from,
    archiveComplete: row.walked_to === 1 && row.gap_top === null,
  }
}

export function unpackChannel(row: StoredChannel): ChannelRow {
  const { subscribers, photos, videos, files, links } = JSON.parse(row.counts) as PackedCounts
  return {
    id: row.id,
    platformId: row.platform_id,
    username: row.username,
    title: row.title,
    description: row.description,
    avatarUrl: row.avatar_url,
    verified: Boolean(row.verified),
    subscribers,
    counters: { photos, videos, files, links },
    status: row.status,
    reason: row.reason,
    language: row.language,
    addedAt: row.added_at,
    lastVisitedAt: row.last_visited_at,
    posts: row.posts,
    firstPostAt: row.first_post_at,
    lastPostAt: row.last_post_at,
    postsPerDay: row.posts_per_day,
  }
}

export function packChannel(row: ChannelRow) {
  return {
    id: row.id,
    platform_id: row.platformId,
    username: row.username,
    name_key: nameKey(row.username),
    title: row.title,
    description: row.description,
    avatar_url: row.avatarUrl,
    verified: row.verified,
    subscribers: row.subscribers?.value ?? -1,
    counts: JSON.stringify({
      subscribers: row.subscribers,
      ...row.counters,
    } satisfies PackedCounts),
    status: row.status,
    reason: row.reason,
    language: row.language,
    added_at: row.addedAt,
    last_visited_at: row.lastVisitedAt,
    posts: row.posts,
    first_post_at: row.firstPostAt,
    last_post_at: row.lastPostAt,
    posts_per_day: row.postsPerDay,
  }
}
