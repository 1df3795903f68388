import type { z } from 'zod'
import { clipText } from '../model/cut-text.ts'
import type { linkPreviewView, pollView, replyView } from './views/post-parts.ts'

/** Everything served of posts in one reply, held to the caller's budget. */
export interface TextBudget {
  readonly isUnlimited: boolean
  /** Of this many characters, as many as are left. */
  take(chars: number): number
  /** All of these characters, or none. */
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

/** What a post of any detail may hold of others' text, besides its snippet, which is counted as it is made. */
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
 * The posts of a reply within the budget: first what they say, in their order, then, of those whose text is whole, the
 * same once more as Markdown and HTML, all or nothing, since markup cut in the middle is none.
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
