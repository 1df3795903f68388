import type { ArchivedPost } from '../model/post.ts'
import { packDocument } from '../search/document-codec.ts'
import type { IndexDocument } from '../search/search-index.ts'
import type { LoggedPost } from '../store/events.ts'

/** A post that has just become searchable, in the form for the event log. */
export function loggedPost(document: IndexDocument): LoggedPost {
  const { channelId, number, revision, publishedAt, firstCapturedAt } = document
  const packed = () => packDocument(document)
  return { channelId, number, revision, publishedAt, firstCapturedAt, document: packed }
}

export function isDeleted(post: ArchivedPost | undefined): post is ArchivedPost {
  return post !== undefined && post.deletedAt !== null
}

/** A post that its author deleted, in the form for the event log. */
export function loggedDeletion(post: ArchivedPost): LoggedPost {
  const { channelId, number, revision, publishedAt, firstCapturedAt } = post
  return { channelId, number, revision, publishedAt, firstCapturedAt, document: null }
}
