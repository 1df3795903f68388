import { hash } from 'node:crypto'
import type { Post } from './post.ts'

/**
 * A hash that changes whenever the author changed something. Left out on purpose: counters, CDN
 * addresses and link previews (the platform changes them), the `edited` mark (a consequence, not the change),
 * percentages of a poll, and channel names in the links of forwards and replies (renaming a channel edits no post).
 * Included: text with its formatting, what the media are, the poll's words, buttons, signature. What else may change in these
 * without the author is known only beside the earlier state (`store/post-rules.ts`).
 */
export function contentSha256(post: Post): string {
  const entities = post.entities.map((e) => [
    e.type,
    e.offset,
    e.length,
    e.url ?? '',
    e.language ?? '',
    e.customId ?? '',
  ])
  const media = post.media.map((m) => [
    m.kind,
    m.fileId ?? '',
    m.fileName ?? '',
    m.durationS ?? '',
    m.title ?? '',
    m.detail ?? '',
    m.latitude ?? '',
    m.longitude ?? '',
  ])
  const content = [
    post.kind,
    post.text,
    entities,
    media,
    post.poll && [post.poll.question, post.poll.options.map((o) => o.text)],
    post.buttons.map((row) => row.map((b) => [b.text, b.url ?? ''])),
    post.author ?? '',
    post.forwardedFrom && (linkedNumber(post.forwardedFrom.postUrl) || post.forwardedFrom.name),
    linkedNumber(post.replyTo?.url ?? null),
  ]
  return hash('sha256', JSON.stringify(content))
}

function linkedNumber(url: string | null): string {
  return (url && /\/(\d+)$/.exec(url)?.[1]) || ''
}
