import type { Context } from '../operations/context.ts'
import { servedText } from '../operations/views/served-text.ts'
import { viewBriefPost } from '../operations/views/post.ts'
import type { Duplicates } from './post-page.ts'
import type { Post } from './views.ts'

const SHOWN = 12
const SNIPPET = 240

/** The group a post belongs to, earliest first; undefined when it stands alone or has left the index. */
export async function findDuplicates(ctx: Context, post: Post): Promise<Duplicates | undefined> {
  const channel = await ctx.store.archive.channel(post.channel.username)
  if (!channel) return undefined
  const found = await ctx.index.duplicates(
    { channelId: channel.id, number: Number(post.slug) },
    SHOWN,
  )
  if (!found) return undefined
  const [posts, cards] = await Promise.all([
    ctx.store.archive.posts(found.members),
    ctx.cards.byId(found.members.map((member) => member.channelId)),
  ])
  const members = posts.flatMap((member) => {
    const card = member && cards.get(member.channelId)
    if (!member || !card || member.deletedAt !== null) return []
    return [viewBriefPost(member, card, () => ({ text: shortText(member.text), highlights: [] }))]
  })
  return { size: found.cluster.size, channels: found.cluster.channels, members }
}

function shortText(text: string): string {
  const clean = servedText(text)
  return clean.length > SNIPPET ? `${clean.slice(0, SNIPPET).replace(/\s+\S*$/u, '')}…` : clean
}
