import type { ArchivedPost } from '../model/post.ts'
import type { CleanText } from '../text/clean.ts'
import { snippet, type Matcher, type Snippet } from '../text/highlight.ts'
import { searchableText } from '../text/searchable-text.ts'
import type { TextBudget } from './text-budget.ts'
import { servedText } from './views/served-text.ts'

const SNIPPET_CHARS = 240

/** Makes the snippets of one reply: the text cut around the query's words, which are highlighted. */
export function createSnippets(
  matcher: Matcher,
  budget: TextBudget,
): (served: CleanText, post: ArchivedPost) => Snippet {
  /** From the post's own text, unless it has none or the match is in its poll or in the name of a file. */
  function bestSnippet(served: CleanText, post: ArchivedPost, max: number): Snippet {
    const { text: own, entities } = served
    const made = snippet(own, post.language, matcher, max, entities)
    if (made.highlights.length > 0 || (own !== '' && matcher.leaves === 0)) return made
    const whole = searchableText(post)
    if (whole === post.text && own !== '') return made
    const shown = servedText(whole) || servedText(post.linkPreview?.title ?? '')
    const other = snippet(shown, post.language, matcher, max, entities)
    return own === '' || other.highlights.length > 0 ? other : made
  }

  return (served, post) => {
    const made = bestSnippet(served, post, SNIPPET_CHARS)
    const granted = budget.take(made.text.length)
    if (granted === made.text.length) return made
    return granted < 2 ? { text: '', highlights: [] } : bestSnippet(served, post, granted)
  }
}
