import type { ArchivedPost } from '../model/post.ts'

/** What is left of a deleted post's content where the operator does not keep it. */
const EMPTIED = {
  text: '',
  entities: [],
  media: [],
  poll: null,
  linkPreview: null,
  buttons: [],
  author: null,
  viaBot: null,
  forwardedFrom: null,
  replyTo: null,
} as const satisfies Partial<ArchivedPost>

export function redacted(post: ArchivedPost): ArchivedPost {
  return { ...post, ...EMPTIED }
}

/** Deleted, and nothing of it was kept: a poll has no text, and a picture none either. */
export function isRedacted(post: ArchivedPost): post is ArchivedPost & { deletedAt: number } {
  if (post.deletedAt === null) return false
  return Object.keys(EMPTIED).every((key) => isEmpty(post[key as keyof typeof EMPTIED]))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
