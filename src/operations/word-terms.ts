import type { ArchivedPost } from '../model/post.ts'
import { analyze } from '../text/analyze.ts'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import { linkWords } from '../text/link-words.ts'
import { postFeatures } from '../text/post-features.ts'
import { searchableText } from '../text/searchable-text.ts'
import type { Word } from './read-words.ts'

/** For each token of a word, the terms that satisfy it: any form of it in any language. */
export function termsOf({ text }: Word): string[][] {
  const [first = []] = analyzeQueryWord(text).alternatives
  return first.map((term) => [...new Set([...term.toks, ...term.stems])])
}

/** Whether a text holds all of these terms, analysed as the indexer analyses a post. */
export function holdsTerms(
  places: readonly (readonly string[])[],
  text: string,
  language: string | null,
): boolean {
  const { tokens } = analyze(text, language)
  const terms = new Set(tokens.flatMap(({ tok, stem }) => [tok, stem]))
  return places.every((forms) => forms.some((form) => terms.has(form)))
}

/** Whether the searchable text of a post holds all of these terms: its text, and the words in the paths of its links. */
export function postHoldsTerms(
  places: readonly (readonly string[])[],
  post: ArchivedPost,
): boolean {
  const text = `${searchableText(post)}\n${linkWords(postFeatures(post).links)}`
  return holdsTerms(places, text, post.language)
}
