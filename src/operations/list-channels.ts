import { z } from 'zod'
import { parseChannelName } from '../model/channel-name.ts'
import { CHANNEL_STATUSES } from '../model/channel.ts'
import { MAX_QUERY_CHARS } from '../text/query/parse-query.ts'
import { languageWarnings } from './language-warnings.ts'
import { CURSOR_ERRORS, defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { compactListedChannel } from './render/compact.ts'
import { markdownChannels } from './render/markdown-channel.ts'
import { readTitle } from './read-words.ts'
import { channelListView, viewListedChannel } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin, nextCursor } from './views/common.ts'
import { readWalk } from './walk.ts'

const SORTS = [
  'subscribers',
  'relevance',
  'posts_per_day',
  'newest_post',
  'added',
  'username',
] as const

export const listChannels = defineOperation({
  name: 'list_channels',
  path: '/channels',
  summary: 'Browse and discover indexed channels',
  description:
    'Finds indexed channels by words in their name, title and description, and by their properties.',
  input: z.strictObject({
    q: p
      .text(
        'Beginnings of words in name, title or description (the first eight count); three or more letters anywhere in a name; or a channel as `@durov` or `t.me/durov`.',
        MAX_QUERY_CHARS,
      )
      .optional(),
    lang: p.languages('The channel’s language.').optional(),
    min_subscribers: p.count('At least this many subscribers.').optional(),
    max_subscribers: p.count('At most this many subscribers.').optional(),
    verified: p.either('Only verified channels, or only unverified ones.').optional(),
    active_since: p.instant('Posted at or after this time.').optional(),
    tz: p.tz,
    status: p.choices('The channel’s state in the crawler.', CHANNEL_STATUSES).optional(),
    sort: p.choice('Order; `subscribers` unless `q` is given, then `relevance`.', SORTS).optional(),
    limit: p.limit,
    cursor: p.cursor,
  }),
  output: z.array(channelListView),
  meta: z.strictObject({ content_origin: contentOrigin, next_cursor: nextCursor }),
  errors: ['invalid_query', ...CURSOR_ERRORS],
  formats: ['json', 'md'],
  markdown: ({ data }) => markdownChannels(data),
  compact: (data) => data.map(compactListedChannel),
  policies: ['burst', 'daily'],
  examples: [
    { summary: 'The largest channels', input: { limit: 5 } },
    { summary: 'English channels about chess', input: { q: 'chess', lang: ['en'] } },
  ],
  async run(ctx, input) {
    const { limit = p.DEFAULT_LIMIT, cursor, ...query } = input
    const sort = input.sort ?? (input.q === undefined ? 'subscribers' : 'relevance')
    const times = [input.active_since] as const
    const walk = readWalk(ctx, ['list_channels', query, sort], { cursor, tz: input.tz, times })
    const [activeSince] = walk.times
    const page = await ctx.store.archive.channels({
      words: input.q === undefined ? [] : toksOf(input.q),
      lang: input.lang ?? [],
      minSubscribers: input.min_subscribers ?? null,
      maxSubscribers: input.max_subscribers ?? null,
      verified: input.verified ?? null,
      activeSince,
      status: input.status ?? [],
      sort,
      limit,
      after: walk.after === null ? null : String(walk.after),
    })
    const avatarOf = await ctx.pictures.ofChannels(page.items)
    return {
      data: page.items.map((channel) => viewListedChannel(channel, walk.now, avatarOf(channel))),
      meta: {
        content_origin: CONTENT_ORIGIN,
        next_cursor: walk.cursorOf(page.next),
      },
      warnings: await languageWarnings(ctx, { lang: input.lang }),
    }
  },
})

function toksOf(q: string): string[] {
  return readTitle(parseChannelName(q) ?? q)
}
