import { nameKey } from '../model/channel-name.ts'
import { getOrMake } from '../model/get-or-make.ts'
import { parsePostRef } from '../model/post-ref.ts'
import type { ArchivedPost, PostRef } from '../model/post.ts'
import { postFeatures } from '../text/post-features.ts'
import type { Context } from './context.ts'
import { readSearch } from './search-query.ts'
import type { ChannelCardView } from './views/channel.ts'

/** How a post belongs to the spread: the first, a forward, a copy, or only a link to one of them. */
export const SPREAD_KINDS = ['original', 'forward', 'copy', 'link'] as const
type SpreadKind = (typeof SPREAD_KINDS)[number]

/** A post of the spread, with its source where it names one. */
export interface SpreadMember {
  readonly post: ArchivedPost
  readonly card: ChannelCardView
  readonly came: SpreadKind
  /** The post of the spread that it names as its source. */
  readonly source: SpreadMember | null
  /** The address of a source that is not part of the spread. */
  readonly sourceUrl: string | null
}

/** The platform's addresses of a post, as channels write them. */
function addressesOf(username: string, number: number): string[] {
  const names = [...new Set([username, username.toLowerCase()])]
  return names.flatMap((name) => [
    `https://t.me/${name}/${number}`,
    `https://t.me/s/${name}/${number}`,
  ])
}

const MAX_ADDRESSES = 40

/** Posts that link to one of these without saying the same, oldest first, and their total. */
export async function findLinks(
  ctx: Context,
  said: readonly PostRef[],
  cards: ReadonlyMap<number, ChannelCardView>,
  options: { readonly limit: number; readonly signal: AbortSignal },
): Promise<{ readonly refs: readonly PostRef[]; readonly total: number }> {
  const url = said
    .flatMap(({ channelId, number }) => {
      const card = cards.get(channelId)
      return card ? addressesOf(card.username, number) : []
    })
    .slice(0, MAX_ADDRESSES)
  if (url.length === 0) return { refs: [], total: 0 }
  const { query } = await readSearch(ctx, { url, sort: 'oldest', limit: options.limit })
  const { hits, total } = await ctx.index.search(query, options.signal)
  const isSaid = (ref: PostRef) =>
    said.some(({ channelId, number }) => channelId === ref.channelId && number === ref.number)
  const refs = hits.filter((hit) => !isSaid(hit))
  return { refs, total: Math.max(refs.length, total.value - (hits.length - refs.length)) }
}

/** Oldest first; among posts of the same second, those that are no forwards come first. */
export function traceSpread(
  posts: readonly { readonly post: ArchivedPost; readonly card: ChannelCardView }[],
  isLink: (post: ArchivedPost) => boolean,
): SpreadMember[] {
  const sorted = posts.toSorted(
    (a, b) =>
      a.post.publishedAt - b.post.publishedAt ||
      Number(a.post.forwardedFrom !== null) - Number(b.post.forwardedFrom !== null) ||
      a.post.channelId - b.post.channelId ||
      a.post.number - b.post.number,
  )
  const original = sorted.find(({ post }) => post.forwardedFrom === null && !isLink(post))?.post
  const members: SpreadMember[] = []
  const byAddress = new Map<string, SpreadMember>()
  for (const { post, card } of sorted) {
    const came = cameOf(post, original, isLink)
    const urls = came === 'original' ? [] : namedBy(post)
    const source = urls.map((url) => byAddress.get(keyOf(parsePostRef(url)))).find(Boolean) ?? null
    const [sourceUrl = null] = came === 'forward' && source === null ? urls : []
    const member = { post, card, came, source, sourceUrl }
    members.push(member)
    for (const number of [post.number, ...post.albumNumbers])
      getOrMake(byAddress, keyOf({ username: card.username, number }), () => member)
  }
  return members
}

/** Empty for what is no post. */
function keyOf(ref: ReturnType<typeof parsePostRef>): string {
  return ref ? `${nameKey(ref.username)}/${ref.number}` : ''
}

function cameOf(
  post: ArchivedPost,
  original: ArchivedPost | undefined,
  isLink: (post: ArchivedPost) => boolean,
): SpreadKind {
  if (isLink(post)) return 'link'
  if (post.forwardedFrom !== null) return 'forward'
  return post === original ? 'original' : 'copy'
}

function namedBy(post: ArchivedPost): string[] {
  const { forwardedFrom } = post
  return forwardedFrom
    ? forwardedFrom.postUrl === null
      ? []
      : [forwardedFrom.postUrl]
    : [...postFeatures(post).links]
}
