import type { z } from 'zod'
import { clipText } from '../model/cut-text.ts'
import type { linkPreviewView, pollView, replyView } from './views/post-parts.ts'

/** The caller's budget of characters for all post text in one reply. */
export interface TextBudget {
  readonly isUnlimited: boolean
  /** Takes up to this many characters; returns how many were left. */
  take(chars: number): number
  /** Takes all of these characters, or none. */
  takeWhole(chars: number): boolean
  readonly wasShort: boolean
}

export function createTextBudget(maxChars: number | undefined): TextBudget {
  let left = maxChars ?? Infinity
  let wasShort = false
  return {
    isUnlimited: maxChars === undefined,
    take(chars) {
      const granted = Math.min(chars, left)
      if (granted < chars) wasShort = true
      left -= granted
      return granted
    },
    takeWhole(chars) {
      const fits = chars <= left
      if (fits) left -= chars
      else wasShort = true
      return fits
    },
    get wasShort() {
      return wasShort
    },
  }
}

/** The text fields of a post of any detail, besides its snippet, which is counted when it is made. */
interface Texts {
  readonly id: string
  readonly text?: string
  readonly markdown?: string
  readonly html?: string
  readonly entities?: unknown[]
  readonly poll?: z.output<typeof pollView> | null
  readonly link_preview?: z.output<typeof linkPreviewView> | null
  readonly reply_to?: z.output<typeof replyView> | null
}

/**
 * Fits the posts of a reply into the budget: first their texts, in order; then, for posts whose text is whole, the same as
 * Markdown and HTML, each entirely or not at all, because markup cut in the middle is broken.
 */
export function fitTexts<P extends Texts>(posts: readonly P[], budget: TextBudget): P[] {
  if (budget.isUnlimited) return [...posts]
  return posts.map((post) => cutTexts(post, budget)).map((post) => fitMarkup(post, budget))
}

function cutTexts<P extends Texts>(post: P, budget: TextBudget): P {
  const { text, poll, link_preview: preview, reply_to: reply } = post
  const shown = text === undefined ? undefined : cut(text, budget)
  return {
    ...post,
    ...(shown === text ? {} : { text: shown, markdown: '', html: '', entities: [] }),
    ...(poll && {
      poll: {
        ...poll,
        question: cut(poll.question, budget),
        options: poll.options.map((option) => ({ ...option, text: cut(option.text, budget) })),
      },
    }),
    ...(preview && {
      link_preview: {
        ...preview,
        title: preview.title && cut(preview.title, budget),
        description: preview.description && cut(preview.description, budget),
      },
    }),
    ...(reply && { reply_to: { ...reply, text: reply.text && cut(reply.text, budget) } }),
  }
}

function fitMarkup<P extends Texts>(post: P, budget: TextBudget): P {
  const { markdown = '', html = '' } = post
  return budget.takeWhole(markdown.length + html.length)
    ? post
    : { ...post, markdown: '', html: '' }
}

function cut(text: string, budget: TextBudget): string {
  return clipText(text, budget.take(text.length))
}
