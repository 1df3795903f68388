import type { QueryNode } from '../model/query.ts'
import { parsePostRef } from '../model/post-ref.ts'
import { lookUpChannels } from './asked-channels.ts'
import type { Context } from './context.ts'
import type { Warning } from './warnings.ts'

/**
 * Whoever searches for nothing but a post's link or a channel's name may want that post or channel itself, which a search for
 * what links to it or mentions it does not find.
 */
export async function nameWarning(
  ctx: Pick<Context, 'store'>,
  q: string,
  root: QueryNode | null,
): Promise<Warning[]> {
  // A `t.me` link as it is read: without the punctuation around it and without what comments and albums add to it.
  const post = parsePostRef(root?.kind === 'url' ? root.value.replace(/\?.*$/u, '') : q)
  const name = root?.kind === 'mention' ? root.value : post?.username
  if (name === undefined) return []
  const [channel] = (await lookUpChannels(ctx, [name])).values()
  if (!channel) return []
  const { id, username } = channel
  const [code, parameter] = ['query_is_name', 'q'] as const
  if (post) {
    if (!(await ctx.store.archive.post(id, post.number))) return []
    const finds = root?.kind === 'url' ? 'posts that link to it' : 'posts with these words'
    const detail = `this finds ${finds}; the post itself is at /v1/channels/${username}/posts/${post.number}`
    return [{ code, parameter, detail }]
  }
  const suggestion = `from:${username}`
  const detail = `this finds posts that mention ${name}; ${suggestion} finds its own, and the channel is at /v1/channels/${username}`
  return [{ code, parameter, detail, suggestion }]
}
