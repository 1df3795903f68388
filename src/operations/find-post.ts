import type { Channel } from '../model/channel.ts'
import { AppError } from '../model/errors.ts'
import type { ArchivedPost } from '../model/post.ts'
import { isRedacted } from '../store/redaction.ts'
import type { Context } from './context.ts'
import { findChannel, isUnread, notReadYet } from './find-channel.ts'
import { viewTime } from './views/common.ts'
import { viewEvidence } from './views/post.ts'
import type { Warning } from './warnings.ts'

interface FoundPost {
  readonly channel: Channel
  readonly post: ArchivedPost
  readonly warnings: readonly Warning[]
}

/** The errors that `findPost` throws, for the operations that call it. */
export const POST_ERRORS = [
  'invalid_username',
  'channel_not_indexed',
  'channel_removed',
  'post_not_found',
  'post_deleted',
  'post_removed',
] as const

/** The archived post with this number, or the album that it belongs to; throws when there is nothing to show. */
export async function findPost(
  ctx: Context,
  { username, slug }: { readonly username: string; readonly slug: string },
): Promise<FoundPost> {
  const { archive, removals } = ctx.store
  const { channel, warnings } = await findChannel(ctx, username)
  const number = Number(slug)
  const post = await archive.post(channel.id, number)
  if (!post) {
    const { numbers } = await removals.removed({ names: [channel.username] }, [number])
    if (numbers.length > 0) {
      throw new AppError('post_removed', `the post ${number} was removed on request`)
    }
    const why = isUnread(channel) ? notReadYet(channel.username, 'username') : undefined
    throw new AppError(
      'post_not_found',
      `the channel ${channel.username} has no post ${number} here${why ? `: ${why.detail}` : ''}`,
      why?.hint ? { hint: why.hint } : {},
    )
  }
  // If the operator keeps deleted posts, the post still has its text and is shown.
  if (isRedacted(post)) {
    const [published, deleted] = [viewTime(post.publishedAt), viewTime(post.deletedAt)]
    // With its dates, because models and people are shown this sentence alone.
    throw new AppError(
      'post_deleted',
      `post ${number} of ${channel.username} was deleted on the platform; published ${published}, found deleted ${deleted}`,
      { extra: { published_at: published, deleted_at: deleted, evidence: viewEvidence(post) } },
    )
  }
  return { channel, post, warnings }
}
