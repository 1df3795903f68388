import type { z } from 'zod'
import { cutText } from '../model/cut-text.ts'
import { maskSpoilers } from '../text/spoilers.ts'
import type { fullPostView, idView } from '../operations/views/post.ts'

/** The message of a delivery, in the form that senders take. A receiver may get it twice, with the same id. */
export interface Message {
  /** The same for every attempt. */
  readonly id: string
  readonly watch: string
  /** Several in a digest. */
  readonly items: readonly MessageItem[]
  readonly isDigest: boolean
}

export interface MessageItem {
  readonly type: 'post' | 'edit' | 'deleted' | 'test'
  /** When the event happened. */
  readonly at: number
  /** For a deleted post only its id. */
  readonly post: z.output<typeof fullPostView> | z.output<typeof idView>
}

/** The body of a webhook and the input of a command: type, timestamp and data, as in Standard Webhooks. */
export function payloadOf({ watch, items, isDigest }: Message): object {
  const views = items.map(({ type, at, post }) => {
    return { type, timestamp: new Date(at).toISOString(), post }
  })
  if (isDigest) {
    const timestamp = views.at(-1)?.timestamp ?? ''
    return { type: 'digest', timestamp, data: { watch, events: views } }
  }
  const { type, timestamp, post } = views[0]!
  return { type, timestamp, data: { watch, post } }
}

export const VERBS = { post: '', edit: 'edited: ', deleted: 'deleted: ', test: 'a test: ' } as const

/** The subject of a message, in one line. */
export function subjectOf({ watch, items, isDigest }: Message): string {
  if (isDigest) return `${watch}: ${items.length} ${items.length === 1 ? 'post' : 'posts'}`
  const { type, post } = items[0]!
  const text = 'text' in post ? maskSpoilers(post.text, post.entities).trim() : ''
  const about = text === '' ? post.id : cutText(text.replaceAll(/\s+/g, ' '), 80)
  return `${watch}: ${VERBS[type]}${about}`
}

/** The message as plain text, one paragraph per post. */
export function textOf(message: Message, maxOfPost = 1000): string {
  const parts = message.items.map(({ type, post }) => {
    const from = 'channel' in post ? `${post.channel.title} (@${post.channel.username})` : post.id
    const lines = [`${VERBS[type]}${from}`, sourceOf(post), cutText(wordsOf(post), maxOfPost)]
    return [...lines.filter((line) => line !== ''), post.url].join('\n')
  })
  return [`${message.watch}:`, ...parts].join('\n\n')
}

/**
 * The same for a chat that reads markup in it, each in another way: nothing that an author wrote calls anybody there
 * (`<!channel>`, `<users/all>`, `@all`), nor hides an address behind another (`<https://a|b>`, `[b](https://a)`). Signs that
 * look alike stand for what would be markup.
 */
export function chatTextOf(message: Message): string {
  return textOf(message)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (')
    .replaceAll(ADDRESS_OR_CALL, (found) => (found === '@' ? '＠' : found.replaceAll('@', '%40')))
}

/** An `@` within a word, as in the address of a mailbox, calls nobody. */
const ADDRESS_OR_CALL = /https?:\/\/\S+|(?<![\p{L}\p{N}])@/gu

export function wordsOf(post: MessageItem['post']): string {
  return 'text' in post ? post.text.trim() : ''
}

/** Where a forwarded post comes from; empty for the channel's own posts. */
export function sourceOf(post: MessageItem['post']): string {
  const source = 'forwarded_from' in post ? post.forwarded_from : null
  return source ? `forwarded from ${cutText(source.name, 50)}` : ''
}
