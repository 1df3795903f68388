import { z } from 'zod'
import type { WordSearch } from '../store/archive.ts'
import { termHash } from '../store/terms.ts'
import { MAX_QUERY_CHARS } from '../text/query/parse-query.ts'
import { archiveBegins, findChannel, isUnread, notReadYet } from './find-channel.ts'
import { mapInTurns } from '../model/turns.ts'
import { CURSOR_ERRORS, defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { postHoldsTerms, readWords, termsOf } from './read-words.ts'
import { compactPosts } from './render/compact.ts'
import { channelOf, markdownPost } from './render/markdown-post.ts'
import { ORIGIN } from './render/markdown-words.ts'
import { detail, has, maxChars } from './search-input.ts'
import { createSnippets } from './snippets.ts'
import { createMatcher } from '../text/highlight.ts'
import { createTextBudget, fitTexts } from './text-budget.ts'
import { readWalk } from './walk.ts'
import { windowWarning } from './window-warning.ts'
import { viewChannelCard } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin, nextCursor } from './views/common.ts'
import {
  briefPostView,
  fullPostView,
  idView,
  viewBriefPost,
  viewFullPost,
  viewId,
} from './views/post.ts'

export const listChannelPosts = defineOperation({
  name: 'list_channel_posts',
  path: '/channels/{username}/posts',
  summary: 'Posts of an indexed channel from the archive, without the 30-day limit',
  description: 'Page by page, newest or oldest first. A walk shows no post twice and skips none.',
  input: z.strictObject({
    username: p.username,
    order: p.choice('Order by publication.', ['newest', 'oldest'], 'newest').optional(),
    since: p.instant('Published at or after.').optional(),
    until: p.instant('Published before.').optional(),
    tz: p.tz,
    has,
    forwards: p.inclusion('Forwarded posts.'),
    q: p
      .text(
        'Words the post must hold, all of them, in any form; all time. No operators.',
        MAX_QUERY_CHARS,
      )
      .optional(),
    include_deleted: p.flag('Also posts that were deleted on the platform.').optional(),
    include_service: p
      .flag('Also service messages, such as a new photo or a pinned post.')
      .optional(),
    detail,
    max_chars: maxChars,
    limit: p.limit,
    cursor: p.cursor,
  }),
  output: z.array(z.union([briefPostView, fullPostView, idView])),
  meta: z.strictObject({
    content_origin: contentOrigin,
    next_cursor: nextCursor,
    truncated: z.boolean(),
  }),
  errors: [
    'invalid_username',
    'invalid_query',
    'channel_not_indexed',
    'channel_removed',
    ...CURSOR_ERRORS,
  ],
  formats: ['json', 'md', 'ndjson', 'csv', 'excel', 'rss', 'jsonfeed'],
  markdown({ data }) {
    const [first] = data
    const named = first && 'channel' in first ? `Posts of ${channelOf(first)}` : 'Posts'
    const posts = data.map((post) => markdownPost(post))
    return [`# ${first ? named : 'No posts'}\n\n${ORIGIN}`, ...posts].join('\n\n')
  },
  items: (data) => data,
  compact: (data) => compactPosts(data, 'channel'),
  policies: ['burst', 'daily'],
  examples: [
    { summary: 'The newest posts', input: { username: 'durov' } },
    {
      summary: 'From the first post on, in full',
      input: { username: 'durov', order: 'oldest', detail: 'full' },
    },
  ],
  async run(ctx, input) {
    const words = input.q === undefined ? [] : readWords(input.q)
    const { channel, warnings } = await findChannel(ctx, input.username)
    const {
      limit = p.DEFAULT_LIMIT,
      cursor,
      detail: how = 'brief',
      username: _name,
      ...query
    } = input
    // Bound to the channel's id, so that a walk continues when the channel is renamed in the middle of it.
    const bound = ['list_channel_posts', channel.id, query]
    const times = [input.since, input.until] as const
    const walk = readWalk(ctx, bound, { cursor, tz: input.tz, times })
    const [since, until] = walk.times
    const page = await ctx.store.archive.listPosts({
      channelId: channel.id,
      order: input.order ?? 'newest',
      since,
      until,
      has: input.has ?? [],
      forwards: input.forwards ?? 'include',
      words: words.length === 0 ? null : wordSearch(words.flatMap(termsOf)),
      includeDeleted: input.include_deleted ?? false,
      includeService: input.include_service ?? false,
      limit,
      after: walk.after === null ? null : Number(walk.after),
    })
    const budget = createTextBudget(input.max_chars)
    const [pictureOf, avatarOf] = await Promise.all([
      ctx.pictures.of(page.items),
      ctx.pictures.ofChannels([channel]),
    ])
    const card = viewChannelCard(channel, avatarOf(channel))
    const asked = words.length === 0 ? null : ({ kind: 'and', nodes: words } as const)
    const snippetOf = createSnippets(createMatcher(asked, 'stem'), budget)
    const data = await mapInTurns(page.items, (post) => {
      if (how === 'ids') return viewId(channel.username, post.number)
      if (how === 'full') return viewFullPost(post, card, pictureOf)
      return viewBriefPost(post, card, snippetOf, pictureOf)
    })
    const isAtBeginning = input.order === 'oldest' ? walk.after === null : page.next === null
    const empty = walk.after === null ? windowWarning(since, until, walk.now, 'since') : []
    return {
      data: fitTexts(data, budget),
      meta: {
        content_origin: CONTENT_ORIGIN,
        next_cursor: walk.cursorOf(page.next),
        truncated: budget.wasShort,
      },
      warnings: [
        ...warnings,
        ...(isUnread(channel) ? [notReadYet(channel.username, 'username')] : []),
        ...(isAtBeginning ? archiveBegins(channel, since, 'username') : []),
        ...empty,
      ],
    }
  },
})

/** Hashes of the terms find candidates; the analyzer then decides. */
function wordSearch(places: readonly (readonly string[])[]): WordSearch {
  return {
    hashes: places.map((terms) => terms.map(termHash)),
    holds: (post) => postHoldsTerms(places, post),
  }
}
