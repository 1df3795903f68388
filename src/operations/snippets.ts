import type { ArchivedPost } from '../model/post.ts'
import type { QueryNode } from '../model/query.ts'
import { createMatcher, snippet } from '../text/highlight.ts'
import type { Snippet } from '../text/highlight.ts'
import { searchableText } from '../text/searchable-text.ts'
import { servedText } from './views/served-text.ts'
import type { ServedText } from './views/served-text.ts'

/** Everything served of posts in one reply, held to the caller's budget. */
interface TextBudget {
  /** Of this many characters, as many as are left. */
  take(chars: number): number
  readonly wasShort: boolean
}

export function createTextBudget(maxChars: number | undefined): TextBudget {
  let left = maxChars ?? Infinity
  let wasShort = false
  return {
    take(chars) {
      const granted = Math.min(chars, left)
      if (granted < chars) wasShort = true
      left -= granted
      return granted
    },
    get wasShort() {
      return wasShort
    },
  }
}

const SNIPPET_CHARS = 240

/** Makes the snippets of one reply: the query's words marked, the text cut around them. */
export function createSnippets(
  root: QueryNode | null,
  match: 'stem' | 'exact',
  budget: TextBudget,
): (served: ServedText, post: ArchivedPost) => Snippet {
  const matcher = createMatcher(root, match)

  /** Of the post's own text, unless it has none or what was asked for stands in its poll or the name of a file. */
  function bestSnippet(own: string, post: ArchivedPost, max: number): Snippet {
    const made = snippet(own, post.language, matcher, max)
    if (made.highlights.length > 0 || (own !== '' && matcher.leaves === 0)) return made
    const whole = searchableText(post)
    if (whole === post.text && own !== '') return made
    const shown = servedText(whole) || servedText(post.linkPreview?.title ?? '')
    const other = snippet(shown, post.language, matcher, max)
    return own === '' || other.highlights.length > 0 ? other : made
  }

  return (served, post) => {
    const made = bestSnippet(served.text, post, SNIPPET_CHARS)
    const granted = budget.take(made.text.length)
    if (granted === made.text.length) return made
    return granted < 2 ? { text: '', highlights: [] } : bestSnippet(served.text, post, granted)
  }
}

/** A post in full, cut when the budget ends: text alone remains then, since markup cut in the middle is none. */
export function fitText<
  P extends { text: string; markdown: string; html: string; entities: unknown[] },
>(post: P, budget: TextBudget): P {
  const granted = budget.take(post.text.length)
  if (granted === post.text.length) return post
  const end = /[\ud800-\udbff]/.test(post.text[granted - 1] ?? '') ? granted - 1 : granted
  const text = post.text.slice(0, Math.max(0, end))
  return { ...post, text, markdown: '', html: '', entities: [] }
}
