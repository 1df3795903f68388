import { NO_CONTENT, type ArchivedPost } from '../model/post.ts'

/** What is left of a deleted post when the operator does not keep its content. */
export function redacted(post: ArchivedPost): ArchivedPost {
  return { ...post, ...NO_CONTENT }
}

/** Deleted with no content kept. An empty text alone does not tell: a poll or a picture has none either. */
export function isRedacted(post: ArchivedPost): post is ArchivedPost & { deletedAt: number } {
  if (post.deletedAt === null) return false
  return Object.keys(NO_CONTENT).every((key) => isEmpty(post[key as keyof typeof NO_CONTENT]))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
