import { AppError } from '../model/errors.ts'
import type { ArchivedPost, PostRef } from '../model/post.ts'
import type { Context } from '../operations/context.ts'
import { viewBriefPost } from '../operations/views/post.ts'
import { servedText } from '../operations/views/served-text.ts'
import type { BriefPost, Hit, Post } from './views.ts'
import { shorten } from './words.ts'

/** Near-identical or forwarded posts; the first few of them. */
export interface Duplicates {
  readonly size: number
  readonly channels: number
  /** Earliest first. */
  readonly members: readonly BriefPost[]
}

const ON_A_POST = 12
const IN_A_LIST = 5
const SNIPPET = 240

/** The group a post belongs to; undefined when it stands alone or has left the index. */
export async function findDuplicates(ctx: Context, post: Post): Promise<Duplicates | undefined> {
  const groups = await groupsOf(ctx, [post], ON_A_POST)
  return groups.get(post.id)
}

/** The groups of collapsed hits by the hit's id, so that each can be opened where it stands. */
export async function findCopies(
  ctx: Context,
  hits: readonly Hit[],
): Promise<ReadonlyMap<string, Duplicates>> {
  const grouped = hits.filter((hit) => hit.cluster !== undefined && hit.cluster.size > 1)
  return grouped.length === 0 ? new Map() : groupsOf(ctx, grouped, IN_A_LIST)
}

async function groupsOf(
  ctx: Context,
  posts: readonly {
    readonly id: string
    readonly slug: string
    readonly channel: { readonly username: string }
  }[],
  limit: number,
): Promise<ReadonlyMap<string, Duplicates>> {
  const { archive } = ctx.store
  const channels = await archive.channelsByName(posts.map(({ channel }) => channel.username))
  const found = await Promise.all(
    posts.map(async ({ id, slug }, i) => {
      const channel = channels[i]
      if (!channel) return undefined
      const ref = { channelId: channel.id, number: Number(slug) }
      const group = await ctx.index.duplicates(ref, limit).catch(withoutIndex)
      return group && { id, ...group }
    }),
  )
  const groups = found.filter((group) => group !== undefined)
  const shown = await showAll(
    ctx,
    groups.flatMap((group) => group.members),
  )
  return new Map(
    groups.map(({ id, cluster: { size, channels }, members }) => [
      id,
      { size, channels, members: members.flatMap((member) => shown.get(keyOf(member)) ?? []) },
    ]),
  )
}

/** A post can be shown without its copies while the index is built anew. */
function withoutIndex(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unavailable') return undefined
  throw error
}

async function showAll(ctx: Context, refs: readonly PostRef[]): Promise<Map<string, BriefPost>> {
  const [posts, cards] = await Promise.all([
    ctx.store.archive.posts(refs),
    ctx.cards.byId(refs.map((ref) => ref.channelId)),
  ])
  const shown = new Map<string, BriefPost>()
  for (const post of posts) {
    const card = post && cards.get(post.channelId)
    if (!post || !card || post.deletedAt !== null) continue
    shown.set(
      keyOf(post),
      viewBriefPost(post, card, () => snippetOf(post)),
    )
  }
  return shown
}

function snippetOf(post: ArchivedPost) {
  return { text: shorten(servedText(post.text), SNIPPET), highlights: [] }
}

function keyOf({ channelId, number }: PostRef): string {
  return `${channelId}/${number}`
}
