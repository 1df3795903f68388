import { z } from 'zod'
import { span } from '../model/duration.ts'
import type { ArchivedPost, PostRef } from '../model/post.ts'
import type { Context } from './context.ts'
import { findPost, POST_ERRORS } from './find-post.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { compactObject } from './render/compact.ts'
import { channelOf, markdownPost } from './render/markdown-post.ts'
import { address, counted, ORIGIN, rounded } from './render/markdown-words.ts'
import { coverageOf, coverageView, withBound } from './search-meta.ts'
import { createSnippets } from './snippets.ts'
import { SPREAD_KINDS, findLinks, traceSpread, type SpreadMember } from './spread-members.ts'
import { createMatcher } from '../text/highlight.ts'
import { createTextBudget } from './text-budget.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'
import { briefPost, viewBriefPost, viewId } from './views/post.ts'
import { WINDOW_MS } from '../search/search-index.ts'

const MAX_MEMBERS = 50
const MEMBERS = 20

const memberView = z
  .strictObject({
    ...briefPost,
    came: z.enum(SPREAD_KINDS).meta({
      description:
        '`original`: the earliest that is not a forward. `forward`: names its source. `copy`: says the same later. `link`: only links to one of them.',
    }),
    delay_s: z.int().meta({ description: 'Seconds after the first.' }),
    source: z.string().nullable().meta({
      description: 'The member it names as its source; null if it names none.',
    }),
    source_url: z
      .string()
      .nullable()
      .meta({ description: 'The source of a forward whose source is not indexed.' }),
    source_delay_s: z.int().nullable().meta({ description: 'Seconds after `source`.' }),
  })
  .meta({ id: 'SpreadMember' })
type Member = z.output<typeof memberView>

const edgeView = z
  .strictObject({ from: z.string(), to: z.string(), came: z.enum(SPREAD_KINDS), told: z.boolean() })
  .meta({
    id: 'SpreadEdge',
    description:
      'Who had it from whom. `told`: the post names its source; otherwise the earliest post is assumed to be it.',
  })

export const getSpread = defineOperation({
  name: 'get_spread',
  path: '/channels/{username}/posts/{slug}/spread',
  summary: 'Who said it first and who carried it on',
  description:
    'Posts of the last 30 days that say the same or link to it, earliest first: how each got it, how much later, and how widely it was seen. Only indexed channels are known.',
  input: z.strictObject({
    username: p.username,
    slug: p.slug('The post’s number on its channel.'),
    limit: p
      .integer('How many posts, earliest first.', {
        min: 1,
        max: MAX_MEMBERS,
        fallback: MEMBERS,
      })
      .optional(),
    links: p.choice('Posts that only link to it.', ['include', 'exclude'], 'include').optional(),
  }),
  output: z
    .strictObject({
      id: z.string().meta({ description: 'The requested post.' }),
      size: z.int().meta({ description: 'Posts in the group, including those beyond `limit`.' }),
      channels: z.int(),
      linked: z.int().meta({ description: 'Posts that only link to one of them.' }),
      first: z.string().nullable().meta({ description: 'The earliest indexed one.' }),
      reach: z
        .strictObject({ views: z.int(), subscribers: z.int() })
        .meta({ description: 'Of the members shown; each channel’s subscribers count once.' }),
      members: z.array(memberView),
      edges: z.array(edgeView),
    })
    .meta({ id: 'Spread' }),
  meta: z.strictObject({ content_origin: contentOrigin, coverage: coverageView }),
  errors: [...POST_ERRORS],
  formats: ['json', 'md'],
  markdown({ data: { id, size, channels, linked, members }, meta: { coverage } }) {
    const [first] = members
    const said = `Said by ${counted(size, 'post')} of ${counted(channels, 'channel')}.`
    const pointed = linked === 0 ? '' : ` Linked by ${rounded(linked)}.`
    const looked = `${counted(coverage.posts, 'post')} of ${counted(coverage.channels, 'channel')}`
    const earliest = first === undefined ? '' : ` First in what is indexed, ${looked}: ${first.id}.`
    const alike = sameBeginnings(members)
    return [
      `# Spread of ${id}`,
      `${said}${pointed}${earliest} ${ORIGIN}`,
      ...members.flatMap((member) => {
        const like = alike.get(member)
        const post = like === undefined ? member : { ...member, snippet: '' }
        return [
          `## ${channelOf(member)}`,
          `${cameWords(member)}\n${markdownPost(post)}`,
          ...(like === undefined ? [] : [`(begins with the same words as ${like})`]),
        ]
      }),
    ].join('\n\n')
  },
  items: ({ members }) => members,
  truncate: (data, count) => ({
    ...data,
    members: data.members.slice(0, count),
    edges: data.edges.slice(0, Math.max(0, count - 1)),
  }),
  compact: ({ members, edges: _edges, ...group }) => {
    const alike = sameBeginnings(members)
    return { ...group, members: members.map((each) => compactMember(each, alike.get(each))) }
  },
  policies: ['burst', 'daily'],
  examples: [{ summary: 'Who copied it', input: { username: 'durov', slug: '342' } }],
  async run(ctx, { username, slug, limit = MEMBERS, links = 'include' }, { signal }) {
    const { channel, post, warnings } = await findPost(ctx, { username, slug })
    const [group, coverage] = await Promise.all([
      ctx.index.duplicates(post, limit),
      coverageOf(ctx),
    ])
    const said = group?.members ?? [post]
    const cards = await ctx.cards.byId(said.map(({ channelId }) => channelId))
    const linking =
      links === 'include'
        ? await findLinks(ctx, said, cards, { limit, signal })
        : { refs: [], total: 0 }
    const members = await viewMembers(ctx, said, linking.refs, limit)
    const isInWindow = post.publishedAt >= ctx.clock.now() - WINDOW_MS
    return {
      data: {
        id: viewId(channel.username, post.number).id,
        size: group?.cluster.size ?? 1,
        channels: group?.cluster.channels ?? 1,
        linked: linking.total,
        first: members[0]?.id ?? null,
        reach: reachOf(members),
        members,
        edges: edgesOf(members),
      },
      meta: {
        content_origin: CONTENT_ORIGIN,
        coverage: withBound(coverage, isInWindow ? null : 'window'),
      },
      warnings,
    }
  },
})

/** Posts that have been deleted or removed meanwhile are left out. */
async function viewMembers(
  ctx: Context,
  said: readonly PostRef[],
  linking: readonly PostRef[],
  limit: number,
): Promise<Member[]> {
  const refs = [...said, ...linking]
  const [posts, cards] = await Promise.all([
    ctx.store.archive.posts(refs),
    ctx.cards.byId(refs.map(({ channelId }) => channelId)),
  ])
  const pictureOf = await ctx.pictures.of(posts)
  const snippetOf = createSnippets(createMatcher(null, 'stem'), createTextBudget(undefined))
  const shown = posts.flatMap((post) => {
    const card = post && cards.get(post.channelId)
    return post && card && post.deletedAt === null ? [{ post, card }] : []
  })
  const links = new Set(posts.slice(said.length))
  const members = traceSpread(shown, (post) => links.has(post)).slice(0, limit)
  const firstAt = members[0]?.post.publishedAt ?? 0
  const idOf = ({ post, card }: SpreadMember) => viewId(card.username, post.number).id
  return members.map(({ post, card, came, source, sourceUrl }) => ({
    ...viewBriefPost(post, card, snippetOf, pictureOf),
    came,
    delay_s: secondsAfter(post, firstAt),
    source: source && idOf(source),
    source_url: sourceUrl,
    source_delay_s: source && secondsAfter(post, source.post.publishedAt),
  }))
}

function secondsAfter({ publishedAt }: ArchivedPost, at: number): number {
  return Math.max(0, Math.round((publishedAt - at) / 1000))
}

function edgesOf([first, ...others]: readonly Member[]): z.output<typeof edgeView>[] {
  if (!first) return []
  return others.map(({ id, came, source }) => ({
    from: source ?? first.id,
    to: id,
    came,
    told: source !== null,
  }))
}

/** Who may have seen it: views are summed over posts, subscribers counted once per channel. */
function reachOf(members: readonly Member[]): {
  readonly views: number
  readonly subscribers: number
} {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const channels = new Map(members.map(({ channel }) => [channel.username, channel]))
  return {
    views: sum(members.map(({ views }) => views?.value ?? 0)),
    subscribers: sum([...channels.values()].map(({ subscribers }) => subscribers?.value ?? 0)),
  }
}

function cameWords(member: Member): string {
  const { came, delay_s: delay, source, source_url: url, channel } = member
  const late = delay === 0 ? '' : `, ${span(delay)} after the first`
  const from = source ?? (url === null ? null : address(url))
  const how = from === null ? came : `${came} ${came === 'link' ? 'to' : 'of'} ${from}`
  const reach =
    channel.subscribers === null ? '' : `, to ${counted(channel.subscribers.value, 'subscriber')}`
  return `${how}${late}${reach}`
}

/**
 * For each post whose shown beginning an earlier one has too, that post's id: a model need not read the same words twenty times, and
 * sees where they differ.
 */
function sameBeginnings(members: readonly Member[]): ReadonlyMap<Member, string> {
  const firstWith = new Map<string, string>()
  const alike = new Map<Member, string>()
  for (const member of members) {
    const { id, snippet } = member
    const held = snippet === '' ? undefined : firstWith.get(snippet)
    if (held === undefined) firstWith.set(snippet, id)
    else alike.set(member, held)
  }
  return alike
}

function compactMember(member: Member, like: string | undefined): object {
  const { id, url, channel, published_at, came, delay_s, source, views, snippet } = member
  const { username, subscribers } = channel
  return compactObject({
    id,
    url,
    channel: username,
    subscribers,
    published_at,
    came,
    delay_s,
    source,
    views,
    snippet: like === undefined ? snippet : null,
    begins_like: like,
  })
}
