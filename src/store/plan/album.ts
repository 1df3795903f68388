import { isAlbumMember, type ArchivedPost } from '../../model/post.ts'
import { isRead } from '../post-rules.ts'

/** The files of an album are sent together, so their posts have nearly the same date; a busy platform may need a while. */
const SENT_TOGETHER_MS = 60_000

/** The numbers of an album's members besides its own. Numbers that cannot be members are ignored, whoever lists them. */
export function membersOf(album: ArchivedPost): number[] {
  return album.albumNumbers.filter((number) => isAlbumMember(album.number, number))
}

/**
 * Whether the album may replace a post that is archived under one of its numbers. Such posts exist because imported files list
 * members of albums as separate posts and because a page may begin in the middle of an album. It must lose nothing: a post
 * with text that the album lacks, a poll, an earlier version or a deletion stays, and so does a post that was read from the
 * channel when the album comes from a file.
 */
export function isPartOf(post: ArchivedPost, album: ArchivedPost): boolean {
  if (post.deletedAt !== null || post.revision > 1) return false
  if (post.kind !== 'post' || post.poll !== null) return false
  if (!wordsOf(album).includes(wordsOf(post))) return false
  if (!isRead(post)) return true
  const apart = Math.abs(post.publishedAt - album.publishedAt)
  return isRead(album) && apart <= SENT_TOGETHER_MS
}

function wordsOf({ text }: ArchivedPost): string {
  return text.replace(/\s+/gu, ' ').trim()
}
