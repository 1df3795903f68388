import type { Entity, Post } from '../../model/post.ts'
import { cleanText } from '../../text/clean.ts'
import { toHtml, toMarkdown } from '../../text/markup.ts'

/** Text as it is served: hidden characters removed, entities moved to fit. */
export interface ServedText {
  readonly text: string
  readonly entities: readonly Entity[]
  readonly hidden: boolean
}

export function servedPost(post: Post): ServedText {
  return cleanText(post.text, post.entities)
}

export function servedText(text: string): string {
  return cleanText(text, []).text
}

/** A title or a name: on one line. */
export function servedLine(text: string): string {
  const served = servedText(text)
  return served.includes('\n') ? served.replaceAll(/\s*\n\s*/g, ' ') : served
}

export function htmlOf(served: ServedText): string {
  return toHtml(served.text, served.entities)
}

export function markdownOf(served: ServedText): string {
  return toMarkdown(served.text, served.entities)
}
