import type { ArchivedPost, PostVersion } from '../model/post.ts'
import { newerCount } from './archive.ts'
import { isRead, newerReactions, pollOf, versionOf } from './post-rules.ts'
import type { Retention } from './retention.ts'

/** A post with its earlier versions, oldest first. */
export interface PostHistory {
  readonly post: ArchivedPost
  readonly versions: readonly PostVersion[]
}

/**
 * Merges what two channels that turned out to be one know about the same post. The later state wins, even a deletion; all
 * other states become its earlier versions. But for ties, which of them is `own` decides only channel, language and revision.
 */
export function joinHistories(
  own: PostHistory,
  other: PostHistory,
  retention: Retention,
): PostHistory {
  const [last, first] = isLater(other.post, own.post) ? [other, own] : [own, other]
  const isKnown = isRead(first.post) || !isRead(last.post)
  const states = [
    ...own.versions,
    ...other.versions,
    ...(isKnown ? [versionOf(first.post, retention)] : []),
  ].toSorted((a, b) => a.capturedAt - b.capturedAt)
  const shas = [...states.slice(1).map((state) => state.sha256), last.post.contentSha256]
  const isRedacted = last.post.deletedAt !== null && retention.deleted === 'redact'
  const versions = states
    .filter(({ sha256 }, i) => sha256 !== shas[i])
    .map((version) => (isRedacted ? { ...version, text: null } : version))
  const isMoved = last.post.contentSha256 !== own.post.contentSha256
  const post: ArchivedPost = {
    ...last.post,
    channelId: own.post.channelId,
    language: own.post.language,
    views: newerCount(first.post.views, last.post.views),
    reactions: newerReactions(first.post.reactions, last.post.reactions),
    poll: last.post.poll && pollOf(last.post.poll, first.post.poll),
    firstCapturedAt: Math.min(first.post.firstCapturedAt, last.post.firstCapturedAt),
    revision: Math.max(
      own.post.revision + (isMoved ? 1 : 0),
      other.post.revision,
      versions.length + 1,
    ),
  }
  return { post, versions }
}

/** A state that was read always counts as later than an imported one, whenever that import was made. */
function isLater(a: ArchivedPost, b: ArchivedPost): boolean {
  if (isRead(a) !== isRead(b)) return isRead(a)
  return stateAt(a) > stateAt(b)
}

function stateAt(post: ArchivedPost): number {
  return Math.max(post.lastCapturedAt, post.deletedAt ?? 0)
}
