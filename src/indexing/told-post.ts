import type { ArchivedPost } from '../model/post.ts'
import { packDocument } from '../search/document-codec.ts'
import type { IndexDocument } from '../search/search-index.ts'
import type { ToldPost } from '../store/events.ts'

/** A post that has just become searchable, as the log of events takes it. */
export function toldPost(document: IndexDocument): ToldPost {
  const { channelId, number, revision, publishedAt, firstCapturedAt } = document
  const packed = () => packDocument(document)
  return { channelId, number, revision, publishedAt, firstCapturedAt, document: packed }
}

export function isDeleted(post: ArchivedPost | undefined): post is ArchivedPost {
  return post !== undefined && post.deletedAt !== null
}

/** One that its author deleted. */
export function takenBack(post: ArchivedPost): ToldPost {
  const { channelId, number, revision, publishedAt, firstCapturedAt } = post
  return { channelId, number, revision, publishedAt, firstCapturedAt, document: null }
}
