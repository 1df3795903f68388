import type { Printer } from './print.ts'
import { formatCount } from './format.ts'

export interface ShownPost {
  readonly url: string
  readonly published_at: string
  readonly channel: { readonly title: string; readonly username: string }
  readonly snippet?: string
  readonly highlights?: readonly { readonly start: number; readonly end: number }[]
  readonly text?: string
  readonly views: { readonly raw: string } | null
  readonly matched?: string
  readonly missing?: readonly string[]
  readonly cluster?: { readonly size: number; readonly channels: number }
  readonly media: unknown
}

const INDENT = '  '

/** A post for a terminal: who and when, the words, where. */
export function showPost(post: ShownPost, print: Printer): void {
  const { style } = print
  const facts = [
    post.published_at.slice(0, 16).replace('T', ' '),
    post.views === null ? null : `${post.views.raw} views`,
    post.cluster && post.cluster.size > 1 ? `${formatCount(post.cluster.size)} copies` : null,
    post.matched === 'some' ? `without ${(post.missing ?? []).join(', ')}` : null,
  ].filter((fact) => fact !== null)
  print.line(
    `${style.bold(post.channel.title || post.channel.username)} ${style.dim(`@${post.channel.username}`)}  ${style.dim(facts.join(' · '))}`,
  )
  const words = post.text ?? markedSnippet(post, print)
  for (const line of words.split('\n')) if (line.trim() !== '') print.line(`${INDENT}${line}`)
  print.line(`${INDENT}${style.dim(post.url)}`)
  print.line()
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
