import { z } from 'zod'
import type { ArchivedPost } from '../model/post.ts'
import type { Context } from './context.ts'
import { findPost, POST_ERRORS } from './find-post.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { leanObject } from './render/lean.ts'
import { channelOf, markdownPost } from './render/markdown-post.ts'
import { ORIGIN, rounded } from './render/markdown-words.ts'
import { coverageOf, coverageView } from './search-meta.ts'
import { createSnippets } from './snippets.ts'
import { createTextBudget } from './text-budget.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'
import { briefPost, viewBriefPost, viewId } from './views/post.ts'
import { WINDOW_MS } from '../search/search-index.ts'

const MAX_MEMBERS = 50
const MEMBERS = 20

const memberView = z
  .strictObject({
    ...briefPost,
    came: z.enum(['original', 'forward', 'copy']).meta({
      description:
        '`forward`: names whom it was forwarded from. `original`: the first that does not. `copy`: says the same later.',
    }),
    delay_s: z.int().meta({ description: 'Seconds after the first of the group.' }),
  })
  .meta({ id: 'SpreadMember' })
type Member = z.output<typeof memberView>

export const getSpread = defineOperation({
  name: 'get_spread',
  path: '/channels/{username}/posts/{slug}/spread',
  summary: 'Who said it first and who carried it on',
  description:
    'Posts of the last 30 days that say the same as this one, earliest first: how each came, how much later, who saw it. The first is the first of what is indexed.',
  input: z.strictObject({
    username: p.channel('The channel: `durov`, `@durov` or `t.me/durov`.'),
    slug: p.slug('The post’s number on its channel.'),
    limit: p
      .integer('How many posts, the earliest ones.', {
        min: 1,
        max: MAX_MEMBERS,
        fallback: MEMBERS,
      })
      .optional(),
  }),
  output: z
    .strictObject({
      id: z.string().meta({ description: 'The post that was asked for.' }),
      size: z.int().meta({ description: 'Posts of the group, also those beyond `limit`.' }),
      channels: z.int(),
      members: z.array(memberView),
    })
    .meta({ id: 'Spread' }),
  meta: z.strictObject({ content_origin: contentOrigin, coverage: coverageView }),
  errors: [...POST_ERRORS],
  formats: ['json', 'md'],
  markdown({ data: { id, size, channels, members }, meta: { coverage } }) {
    const [first] = members
    const said = `Said by ${rounded(size)} ${size === 1 ? 'post' : 'posts'} of ${rounded(channels)} ${channels === 1 ? 'channel' : 'channels'}.`
    const looked = `${rounded(coverage.posts)} posts of ${rounded(coverage.channels)} channels`
    const earliest = first === undefined ? '' : ` First in what is indexed, ${looked}: ${first.id}.`
    return [
      `# Spread of ${id}`,
      `${said}${earliest} ${ORIGIN}`,
      ...members.flatMap((member) => [
        `## ${channelOf(member)}`,
        `${cameWords(member)}\n${markdownPost(member)}`,
      ]),
    ].join('\n\n')
  },
  items: ({ members }) => members,
  fewer: (data, count) => ({ ...data, members: data.members.slice(0, count) }),
  lean: ({ members, ...group }) => ({ ...group, members: members.map(leanMember) }),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'Who copied it', input: { username: 'durov', slug: '342' } }],
  async run(ctx, { username, slug, limit = MEMBERS }) {
    const { channel, post, warnings } = await findPost(ctx, { username, slug })
    const [group, coverage] = await Promise.all([
      ctx.index.duplicates(post, limit),
      coverageOf(ctx, []),
    ])
    const members = await viewMembers(ctx, group?.members ?? [post])
    const isInWindow = post.publishedAt >= ctx.clock.now() - WINDOW_MS
    return {
      data: {
        id: viewId(channel.username, post.number).id,
        size: group?.cluster.size ?? 1,
        channels: group?.cluster.channels ?? 1,
        members,
      },
      meta: {
        content_origin: CONTENT_ORIGIN,
        coverage: { ...coverage, complete: isInWindow, reason: isInWindow ? null : 'window' },
      },
      warnings,
    }
  },
})

/** Posts that are gone meanwhile are left out. */
async function viewMembers(
  ctx: Context,
  refs: readonly { readonly channelId: number; readonly number: number }[],
): Promise<Member[]> {
  const [posts, cards] = await Promise.all([
    ctx.store.archive.posts(refs),
    ctx.cards.byId(refs.map(({ channelId }) => channelId)),
  ])
  const pictureOf = await ctx.pictures.of(posts)
  const snippetOf = createSnippets(null, 'stem', createTextBudget(undefined))
  const shown = posts.flatMap((post) => {
    const card = post && cards.get(post.channelId)
    return post && card && post.deletedAt === null ? [{ post, card }] : []
  })
  const firstAt = shown[0]?.post.publishedAt ?? 0
  const original = shown.find(({ post }) => post.forwardedFrom === null)?.post
  return shown.map(({ post, card }) => ({
    ...viewBriefPost(post, card, (served) => snippetOf(served, post), pictureOf),
    came: cameOf(post, original),
    delay_s: Math.max(0, Math.round((post.publishedAt - firstAt) / 1000)),
  }))
}

function cameOf(post: ArchivedPost, original: ArchivedPost | undefined): Member['came'] {
  if (post.forwardedFrom !== null) return 'forward'
  return post === original ? 'original' : 'copy'
}

function cameWords({ came, delay_s: delay, channel: { subscribers } }: Member): string {
  const late = delay === 0 ? '' : `, ${delay} s after the first`
  const reach = subscribers === null ? '' : `, to ${rounded(subscribers.value)} subscribers`
  return `${came}${late}${reach}`
}

function leanMember(member: Member): object {
  const { id, url, channel, published_at, came, delay_s, views, snippet } = member
  const { username, subscribers } = channel
  return leanObject({
    id,
    url,
    channel: username,
    subscribers,
    published_at,
    came,
    delay_s,
    views,
    snippet,
  })
}
