import type { Item, ItemMedia } from '../operations/render/items.ts'
import { alikeOf } from '../operations/render/markdown-post.ts'
import { minute } from '../operations/render/markdown-words.ts'
import { INCOMPLETE_WORDS } from '../operations/views/incomplete.ts'
import type { Printer } from './print.ts'
import { formatBytes, formatDuration, formatTold } from './format.ts'
import { showRow } from './show-row.ts'
import { wrap } from './wrap.ts'

/** A post from a list or from its own address. */
export type ShownPost = Item & Required<Pick<Item, 'channel' | 'media' | 'published_at' | 'views'>>

const INDENT = '  '

/** A post for a terminal: who and when, the text, attachments, the address. */
export function showPost(post: ShownPost, print: Printer): void {
  const { style } = print
  const facts = [
    minute(post.published_at),
    post.views === null
      ? null
      : `${formatTold(post.views)} ${post.views.value === 1 ? 'view' : 'views'}`,
    alikeOf(post),
    post.matched === 'some' ? `without ${(post.missing ?? []).join(', ')}` : null,
  ].filter((fact) => fact !== null)
  showRow(
    '',
    `${style.bold(post.channel.title || post.channel.username)} ${style.dim(`@${post.channel.username}`)}  ${style.dim(facts.join(' · '))}`,
    print,
  )
  for (const line of originOf(post)) showText(style.dim(line), print)
  showText(post.text ?? markedSnippet(post, print), print)
  for (const line of attachmentsOf(post)) showText(style.dim(line), print)
  print.line(`${INDENT}${style.dim(post.url)}`)
  print.line()
}

/** Indented and, on a terminal, wrapped to its width; in a pipe lines are not broken. */
export function showText(text: string, print: Printer): void {
  const lines = print.isTerminal ? wrap(text, print.width - INDENT.length) : text.split('\n')
  for (const line of lines) if (line.trim() !== '') print.line(`${INDENT}${line}`)
}

function originOf({ forwarded_from: forward, reply_to: reply }: ShownPost): string[] {
  return [
    ...(forward ? [`forwarded from ${forward.name} ${forward.post_url ?? ''}`.trimEnd()] : []),
    ...(reply ? [`in reply to ${reply.url}`] : []),
  ]
}

function attachmentsOf({ media, poll, incomplete }: ShownPost): string[] {
  return [
    ...(incomplete === undefined ? [] : [`(${INCOMPLETE_WORDS[incomplete]})`]),
    ...(poll ? [`poll: ${poll.question}`, ...poll.options.map(pollLine)] : []),
    ...('kinds' in media ? summaryLines(media) : media.map(mediaLine)),
  ]
}

function pollLine({ text, percent }: { text: string; percent: number | null }): string {
  return `${percent === null ? '' : `${percent} % `.padStart(6)}${text}`
}

function summaryLines({ kinds, count }: { kinds: readonly string[]; count: number }): string[] {
  if (count === 0) return []
  return [`[${kinds.join(', ')}${count > kinds.length ? `, ${count} in all` : ''}]`]
}

function mediaLine({ kind, title, file_name, duration_s, size }: ItemMedia): string {
  const facts = [
    kind,
    title,
    file_name,
    duration_s === null ? null : formatDuration(duration_s * 1000),
    size === null ? null : formatBytes(size.value),
  ]
  return `[${facts.filter((fact) => fact !== null).join(', ')}]`
}

function markedSnippet(post: ShownPost, print: Printer): string {
  const text = post.snippet ?? ''
  let made = ''
  let at = 0
  for (const { start, end } of post.highlights ?? []) {
    made += text.slice(at, start) + print.style.mark(text.slice(start, end))
    at = end
  }
  return made + text.slice(at)
}
