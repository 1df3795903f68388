import { isAlbumMember, type ArchivedPost } from '../../model/post.ts'
import { isRead } from '../post-rules.ts'

/** An album's files are sent as one, so their posts have the same date, give or take what a busy platform needs. */
const SENT_TOGETHER_MS = 60_000

/** An album's further numbers. Others that it names are no part of it, whoever says so. */
export function membersOf(album: ArchivedPost): number[] {
  return album.albumNumbers.filter((number) => isAlbumMember(album.number, number))
}

/**
 * May the album take the place of a post that stands under one of its numbers? Only where nothing is lost by it: files know
 * albums as posts of their own, and a page may begin in the middle of one. Words, a poll, an earlier version or a
 * deletion that the album does not hold are a post's own, and a file says nothing against what was read.
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
