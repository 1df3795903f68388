import { z } from 'zod'
import {
  CHANNEL_STATUSES,
  type Channel,
  type ChannelDay,
  type ChannelProfile,
} from '../../model/channel.ts'
import { DAY_MS } from '../../model/time.ts'
import type { ChannelStats } from '../../store/archive.ts'
import {
  countView,
  timeView,
  valueCount,
  viewCountOrNull,
  viewTime,
  viewTimeOrNull,
} from './common.ts'
import { pictureView, type PictureView } from './picture.ts'
import { servedLine, servedText } from './served-text.ts'

/** What a post shows of its channel. */
export const channelCardView = z
  .strictObject({
    username: z.string(),
    title: z.string(),
    language: z.string().nullable(),
    subscribers: countView.nullable(),
    verified: z.boolean(),
    avatar: pictureView.optional(),
  })
  .meta({ id: 'ChannelCard' })
export type ChannelCardView = z.output<typeof channelCardView>

export function viewChannelCard(
  channel: ChannelProfile & { language?: string | null },
  avatar: PictureView | undefined,
): ChannelCardView {
  return {
    username: channel.username,
    title: servedLine(channel.title),
    language: channel.language ?? null,
    subscribers: viewCountOrNull(channel.subscribers),
    verified: channel.verified,
    ...(avatar ? { avatar } : {}),
  }
}

const countersView = z.strictObject({
  photos: countView.nullable(),
  videos: countView.nullable(),
  files: countView.nullable(),
  links: countView.nullable(),
})

const statsView = z
  .strictObject({
    posts: z.int(),
    posts_30d: z.int(),
    posts_per_day: z.number(),
    median_views: z.number().nullable(),
    first_post_at: timeView.nullable(),
    last_post_at: timeView.nullable(),
    daily: z
      .array(z.int())
      .length(30)
      .meta({ description: 'Posts on each of the last 30 UTC days, oldest first.' }),
    hours: z
      .array(z.int())
      .length(24)
      .meta({ description: 'Posts of the last 30 days by UTC hour.' }),
    top_hashtags: z.array(valueCount),
    top_domains: z.array(valueCount),
    forwards_from: z.array(valueCount),
    forwarded_by: z.array(valueCount),
  })
  .meta({ id: 'ChannelStats' })

const dayValues = z.array(
  z.strictObject({ date: z.string().meta({ format: 'date' }), value: z.int() }),
)

const growthView = z
  .strictObject({
    subscribers: dayValues.meta({ description: 'As last read on each day.' }),
    views: dayValues.meta({
      description:
        'Median views of the posts of the preceding seven days, as last read on each day.',
    }),
  })
  .meta({
    id: 'ChannelGrowth',
    description: 'The days on which it was read, of the last 90 UTC days, oldest first.',
  })

const indexView = z
  .strictObject({
    status: z.enum(CHANNEL_STATUSES),
    reason: z.string().nullable(),
    added_at: timeView,
    last_visited_at: timeView.nullable(),
    next_visit_at: timeView.nullable(),
    archive_from: timeView.nullable(),
    archive_complete: z.boolean(),
    lag_s: z.number().nullable().meta({ description: 'Seconds since the last visit.' }),
  })
  .meta({ id: 'ChannelIndexState' })

const profileFields = {
  username: z.string(),
  platform_id: z.number().nullable(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  avatar_url: z.string().nullable(),
  avatar: pictureView.optional(),
  verified: z.boolean(),
  language: z.string().nullable(),
  subscribers: countView.nullable(),
  counters: countersView,
}

const aboutChannel = {
  ...profileFields,
  aliases: z.array(z.string()),
  languages: z.array(z.strictObject({ code: z.string(), share: z.number() })),
}

/** A channel in a list: the profile without the fields that have to be computed for it. */
export const channelListView = z
  .strictObject({
    ...aboutChannel,
    posts: z.int(),
    first_post_at: timeView.nullable(),
    last_post_at: timeView.nullable(),
    index: indexView,
  })
  .meta({ id: 'Channel' })

export const channelProfileView = z
  .strictObject({
    ...aboutChannel,
    stats: statsView,
    growth: growthView,
    similar: z.array(z.string()),
    index: indexView,
  })
  .meta({ id: 'ChannelProfile' })

/** A channel as a live page shows it, whether indexed or not. */
export const liveChannelView = z
  .strictObject({ ...profileFields, indexed: z.boolean() })
  .meta({ id: 'LiveChannel' })

export function viewLiveChannel(
  profile: ChannelProfile,
  indexed: Channel | undefined,
  avatar: PictureView | undefined,
): z.output<typeof liveChannelView> {
  const language = indexed?.language ?? null
  return { ...viewProfile({ ...profile, language }, avatar), indexed: indexed !== undefined }
}

function viewCounters(channel: ChannelProfile): z.output<typeof countersView> {
  const { photos, videos, files, links } = channel.counters
  return {
    photos: viewCountOrNull(photos),
    videos: viewCountOrNull(videos),
    files: viewCountOrNull(files),
    links: viewCountOrNull(links),
  }
}

function viewProfile(
  channel: ChannelProfile & Pick<Channel, 'language'>,
  avatar: PictureView | undefined,
) {
  return {
    username: channel.username,
    platform_id: channel.platformId,
    url: `https://t.me/${channel.username}`,
    title: servedLine(channel.title),
    description: servedText(channel.description),
    avatar_url: channel.avatarUrl,
    ...(avatar ? { avatar } : {}),
    verified: channel.verified,
    language: channel.language,
    subscribers: viewCountOrNull(channel.subscribers),
    counters: viewCounters(channel),
  }
}

function viewAbout(channel: Channel, avatar: PictureView | undefined) {
  return {
    ...viewProfile(channel, avatar),
    aliases: [...channel.aliases],
    languages: channel.languages.map(({ code, share }) => ({ code, share })),
  }
}

function viewIndex(channel: Channel, now: number): z.output<typeof indexView> {
  return {
    status: channel.status,
    reason: channel.reason,
    added_at: viewTime(channel.addedAt),
    last_visited_at: viewTimeOrNull(channel.lastVisitedAt),
    next_visit_at: viewTimeOrNull(channel.nextVisitAt),
    archive_from: viewTimeOrNull(channel.archiveFrom),
    archive_complete: channel.archiveComplete,
    lag_s:
      channel.lastVisitedAt === null
        ? null
        : Math.max(0, Math.round((now - channel.lastVisitedAt) / 1000)),
  }
}

export function viewListedChannel(
  channel: Channel,
  now: number,
  avatar: PictureView | undefined,
): z.output<typeof channelListView> {
  return {
    ...viewAbout(channel, avatar),
    posts: channel.posts,
    first_post_at: viewTimeOrNull(channel.firstPostAt),
    last_post_at: viewTimeOrNull(channel.lastPostAt),
    index: viewIndex(channel, now),
  }
}

function viewGrowth(days: readonly ChannelDay[]): z.output<typeof growthView> {
  const values = (of: 'subscribers' | 'views') =>
    days.flatMap(({ day, [of]: value }) =>
      value === null ? [] : [{ date: viewTime(day * DAY_MS).slice(0, 10), value }],
    )
  return { subscribers: values('subscribers'), views: values('views') }
}

export function viewChannelProfile(
  channel: Channel,
  stats: ChannelStats,
  now: number,
  avatar: PictureView | undefined,
): z.output<typeof channelProfileView> {
  const copy = (list: readonly { readonly value: string; readonly count: number }[]) =>
    list.map(({ value, count }) => ({ value, count }))
  return {
    ...viewAbout(channel, avatar),
    stats: {
      posts: stats.posts,
      posts_30d: stats.posts30d,
      posts_per_day: stats.postsPerDay,
      median_views: stats.medianViews,
      first_post_at: viewTimeOrNull(stats.firstPostAt),
      last_post_at: viewTimeOrNull(stats.lastPostAt),
      daily: [...stats.daily],
      hours: [...stats.hours],
      top_hashtags: copy(stats.topHashtags),
      top_domains: copy(stats.topDomains),
      forwards_from: copy(stats.forwardsFrom),
      forwarded_by: copy(stats.forwardedBy),
    },
    growth: viewGrowth(stats.growth),
    similar: [...stats.similar],
    index: viewIndex(channel, now),
  }
}
