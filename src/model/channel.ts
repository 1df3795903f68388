import type { Count } from './count.ts'

/** The counters a channel's page shows beside its subscribers; a kind that is zero is left out there. */
export interface ChannelCounters {
  readonly photos: Count | null
  readonly videos: Count | null
  readonly files: Count | null
  readonly links: Count | null
}

export const NO_COUNTERS: ChannelCounters = { photos: null, videos: null, files: null, links: null }

/** What one page says about the channel it belongs to. */
export interface ChannelProfile {
  /** In the platform's own spelling. */
  readonly username: string
  /** The platform's bare numeric id: the identity that survives renames. Null where the page does not show it. */
  readonly platformId: number | null
  readonly title: string
  readonly description: string
  readonly avatarUrl: string | null
  readonly verified: boolean
  readonly subscribers: Count | null
  readonly counters: ChannelCounters
}

/** A channel's growth: what the last visit of each UTC day saw. Kept for as long as the channel is. */
export interface ChannelDay {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly subscribers: number | null
  /** The median view count of the posts published in the seven days before that visit. */
  readonly views: number | null
}

export const CHANNEL_STATUSES = [
  'active',
  'queued',
  'dormant',
  'unavailable',
  'gone',
  'imported',
] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** Why a channel that exists on the platform cannot be read. */
const UNAVAILABLE_REASONS = [
  'preview_disabled',
  'restricted',
  'is_group',
  'is_user',
  'is_bot',
  'private',
] as const
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

/** A channel as the archive keeps it. */
export interface Channel extends ChannelProfile {
  /** The store's own number, given once, never reused: the identity inside this installation. */
  readonly id: number
  /** Former and further names, in the order they were learnt. */
  readonly aliases: readonly string[]
  readonly status: ChannelStatus
  /** Why the status is what it is: an UnavailableReason, `parser_mismatch`, or the platform's own words. */
  readonly reason: string | null
  /** Majority language of its posts (primary subtag), once known. */
  readonly language: string | null
  /** Share of each language among its posts, largest first. */
  readonly languages: readonly { readonly code: string; readonly share: number }[]
  readonly addedAt: number
  readonly lastVisitedAt: number | null
  readonly nextVisitAt: number | null
  /** Everything published since this post's time has been read, without a gap up to the newest; null when nothing has. */
  readonly archiveFrom: number | null
  /** True once everything since the channel's first post has been read, with no open gap. */
  readonly archiveComplete: boolean
  /** How many posts are archived, without deleted ones and service messages. */
  readonly posts: number
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
}
