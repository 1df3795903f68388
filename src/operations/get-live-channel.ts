import { z } from 'zod'
import type { LiveRead } from '../crawl/live-pages.ts'
import type { Channel } from '../model/channel.ts'
import { contentSha256 } from '../model/content-hash.ts'
import type { ArchivedPost } from '../model/post.ts'
import { SHOWN_POSTS } from '../store/archive.ts'
import { MAX_QUERY_CHARS } from '../text/query/parse-query.ts'
import type { Context } from './context.ts'
import { isUnread, removedError, renamed } from './find-channel.ts'
import { mapInTurns } from '../model/turns.ts'
import { liveFailure, type LiveFailure } from './live-failure.ts'
import { defineOperation } from './operation.ts'
import type { Warning } from './warnings.ts'
import * as p from './parameters.ts'
import { postHoldsTerms, readWords, termsOf } from './read-words.ts'
import { compact, compactPosts } from './render/compact.ts'
import { markdownPost } from './render/markdown-post.ts'
import { line, ORIGIN } from './render/markdown-words.ts'
import { liveChannelView, viewChannelCard, viewLiveChannel } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin, timeView, viewTime } from './views/common.ts'
import { fullPostView, viewFullPost } from './views/post.ts'

const MAX_LIVE = 50
const DEFAULT_MAX_AGE_S = 30
/** How many posts the platform's newest page usually holds. */
const PAGE = 20

export const getLiveChannel = defineOperation({
  name: 'get_live_channel',
  path: '/channels/{username}/live',
  summary: 'Live channel metadata and latest posts, by an on-demand scrape',
  description:
    'Reads the channel from the platform now, indexed or not, newest post first and in full. If the platform fails and the channel is archived, the archive answers.',
  input: z.strictObject({
    username: p.username,
    limit: p
      .integer(
        'How many posts; further pages are read where one does not hold enough. Default: the newest page as it is.',
        {
          min: 1,
          max: MAX_LIVE,
        },
      )
      .optional(),
    before: p.slug('Only posts before this one.').optional(),
    max_age: p
      .integer('Maximum age of a cached answer in seconds; 0 forces a fetch.', {
        min: 0,
        max: 86_400,
        fallback: DEFAULT_MAX_AGE_S,
      })
      .optional(),
    q: p
      .text(
        'Keep only fetched posts with all of these words, in any form. No operators.',
        MAX_QUERY_CHARS,
      )
      .optional(),
  }),
  output: z
    .strictObject({
      source: z.enum(['live', 'cache', 'archive']),
      fetched_at: timeView,
      channel: liveChannelView,
      posts: z.array(fullPostView),
    })
    .meta({ id: 'LiveRead' }),
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: [
    'invalid_username',
    'invalid_query',
    'channel_not_found',
    'channel_unavailable',
    'channel_removed',
    'upstream_failed',
    'upstream_throttled',
    'upstream_timeout',
  ],
  formats: ['json', 'md', 'ndjson', 'csv', 'excel', 'rss', 'jsonfeed'],
  markdown({ data: { channel, source, fetched_at: fetchedAt, posts } }) {
    const heading = `# ${line(channel.title)} (@${channel.username})`
    const header = `Read ${fetchedAt}, source: ${source}. ${ORIGIN}`
    return [heading, header, ...posts.map((post) => markdownPost(post))].join('\n\n')
  },
  items: ({ posts }) => posts,
  truncate: (data, count) => ({ ...data, posts: data.posts.slice(0, count) }),
  compact: ({ channel, posts, ...read }) => ({
    ...read,
    channel: compact({
      username: channel.username,
      title: channel.title,
      description: channel.description,
      subscribers: channel.subscribers,
      indexed: channel.indexed,
    }),
    posts: compactPosts(posts, 'channel'),
  }),
  policies: ['burst', 'daily', 'live'],
  examples: [{ summary: 'What is there now', input: { username: 'durov', limit: 5 } }],
  async run(ctx, { q, ...given }, call) {
    const input: Input = { ...given, places: q === undefined ? [] : readWords(q).flatMap(termsOf) }
    const request = {
      name: input.username,
      limit: given.limit ?? null,
      before: given.before === undefined ? null : Number(given.before),
      maxAgeMs: (given.max_age ?? DEFAULT_MAX_AGE_S) * 1000,
      signal: call.signal,
    }
    const cached = request.maxAgeMs === 0 ? undefined : ctx.live.cached(request)
    // A cached page may be older than a removal, and the name asked for may be another name of the removed channel.
    const profile = cached?.kind === 'read' ? cached.profile : undefined
    const name = profile?.username ?? request.name
    if (await ctx.store.removals.find({ name, platformId: profile?.platformId ?? null })) {
      throw removedError(request.name)
    }
    if (cached?.kind === 'read') return await answer(ctx, input, cached)
    if (cached) throw liveFailure(cached, input.username).error
    await call.charge('live')
    const read = await ctx.live.read(request)
    if (read.kind === 'read') {
      if (read.source === 'cache') call.refund('live')
      const cut = read.cutBy && liveFailure(read.cutBy, input.username)
      if (cut?.isPassing && read.channelId !== null) {
        // The archive has these posts by now, and older ones. It may not know the name that was asked for, hence the id.
        const [channel] = await ctx.store.archive.channelsById([read.channelId])
        return await answerFromArchive(ctx, input, request.before, { ...cut, channel })
      }
      return await answer(ctx, input, read, cut)
    }
    const failure = liveFailure(read, input.username)
    if (!failure.isPassing) throw failure.error
    const channel = await ctx.store.archive.channel(input.username)
    return await answerFromArchive(ctx, input, request.before, { ...failure, channel })
  },
})

interface Input {
  readonly username: string
  readonly limit?: number | undefined
  /** The terms that satisfy each word of `q`. */
  readonly places: readonly (readonly string[])[]
}

async function answer(ctx: Context, input: Input, read: LiveRead, cut?: LiveFailure) {
  const channel =
    read.channelId === null
      ? undefined
      : (await ctx.store.archive.channelsById([read.channelId]))[0]
  const posts = channel ? await archivedTwins(ctx, channel, read) : read.posts.map(unarchived(read))
  const found = { profile: read.profile, channel, posts }
  return reply(ctx, read.source, read.fetchedAt, found, input, cut ? [cutShort(cut)] : [])
}

function cutShort({ error }: LiveFailure): Warning {
  const detail = `${error.detail}; fewer posts were read than were asked for`
  return { code: 'read_cut_short', parameter: 'limit', detail }
}

/** The archive has just stored these posts, so it knows when each was first seen and its language. */
async function archivedTwins(
  ctx: Context,
  channel: Channel,
  read: LiveRead,
): Promise<readonly ArchivedPost[]> {
  const refs = read.posts.map(({ number }) => ({ channelId: channel.id, number }))
  const twins = await ctx.store.archive.posts(refs)
  return read.posts.map((post, i) => twins[i] ?? unarchived(read)(post))
}

function unarchived(read: LiveRead): (post: LiveRead['posts'][number]) => ArchivedPost {
  return (post) => ({
    ...post,
    channelId: -1,
    revision: 1,
    contentSha256: contentSha256(post),
    firstCapturedAt: read.fetchedAt,
    lastCapturedAt: read.fetchedAt,
    capture: 'live',
    parserVersion: read.parserVersion,
    deletedAt: null,
    language: null,
  })
}

async function answerFromArchive(
  ctx: Context,
  input: Input,
  before: number | null,
  { channel, ...failure }: LiveFailure & { readonly channel: Channel | undefined },
) {
  // Of a channel that was only queued, nothing has been read that could be shown.
  if (!channel || isUnread(channel)) throw failure.error
  const page = await ctx.store.archive.listPosts({
    ...SHOWN_POSTS,
    channelId: channel.id,
    limit: input.limit ?? PAGE,
    after: before,
  })
  const at = channel.lastVisitedAt ?? channel.addedAt
  return reply(ctx, 'archive', at, { profile: channel, channel, posts: page.items }, input, [
    {
      code: 'served_from_archive',
      detail: `${failure.error.detail}; these posts are from the archive`,
    },
  ])
}

async function reply(
  ctx: Context,
  source: 'live' | 'cache' | 'archive',
  fetchedAt: number,
  found: {
    readonly profile: Parameters<typeof viewLiveChannel>[0]
    readonly channel: Channel | undefined
    readonly posts: readonly ArchivedPost[]
  },
  input: Input,
  warnings: readonly Warning[],
) {
  const shown = { ...found.profile, ...(found.channel ? { id: found.channel.id } : {}) }
  const [pictureOf, avatarOf] = await Promise.all([
    ctx.pictures.of(found.posts),
    ctx.pictures.ofChannels([shown]),
  ])
  const avatar = avatarOf(shown)
  const language = found.channel?.language ?? null
  const card = viewChannelCard({ ...found.profile, language }, avatar)
  const limited = found.posts.slice(0, input.limit ?? MAX_LIVE)
  const wanted = limited.filter((post) => postHoldsTerms(input.places, post))
  return {
    data: {
      source,
      fetched_at: viewTime(fetchedAt),
      channel: viewLiveChannel(found.profile, found.channel, avatar),
      posts: await mapInTurns(wanted, (post) => viewFullPost(post, card, pictureOf)),
    },
    meta: { content_origin: CONTENT_ORIGIN },
    warnings: [
      ...renamed(input.username, found.profile.username),
      ...warnings,
      ...(input.places.length === 0 ? [] : lookedThrough(limited)),
    ],
  }
}

/** Few or no posts with the words would otherwise pass for all that the channel has. */
function lookedThrough(posts: readonly ArchivedPost[]): Warning[] {
  const oldest = posts.at(-1)
  if (oldest === undefined || oldest.number === 1) return []
  const looked = posts.length === 1 ? '1 post was' : `${posts.length} posts were`
  const detail = `${looked} looked through for the words; before=${oldest.number} looks further back`
  return [{ code: 'looked_through', parameter: 'q', detail }]
}
