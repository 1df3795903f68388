import { AppError, errorOf } from '../model/errors.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { QueryNode } from '../model/query.ts'
import { leavesOf, partsOf } from '../model/query-tree.ts'
import { analyze } from '../text/analyze.ts'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import { linkWords } from '../text/link-words.ts'
import { postFeatures } from '../text/post-features.ts'
import { MAX_QUERY_CHARS, parseQuery } from '../text/query/parse-query.ts'
import { searchableText } from '../text/searchable-text.ts'

/** Each word costs a look-up, or a pass over every post of a page. */
const MAX_WORDS = 32

type Word = Extract<QueryNode, { readonly text: string }> & { readonly kind: 'word' }

/**
 * The words of a `q` that accepts no operators. It is parsed like a search query, so that anything with a meaning there is
 * refused here rather than taken for a word. Throws `invalid_query`.
 */
export function readWords(q: string): Word[] {
  const root = parse(q)
  const parts = partsOf(root)
  // An emoji is not a word that can be looked up, and leaving it out misses nothing.
  const words = parts.filter(isWord).filter(hasTerms)
  const operator = parts.find((part) => !isWord(part))
  if (operator)
    throw refusal('words alone, found an operator', leavesOf(operator)[0]!.start, textOf(root))
  if (words.length === 0) throw refusal(SOME_WORD, 0)
  const extra = words[MAX_WORDS]
  if (extra) throw refusal(`at most ${MAX_WORDS} words, found more`, extra.start, textOf(root))
  return words
}

/** Without the parser's suggestion: it would be another query with operators, which would be refused again. */
function parse(q: string): QueryNode {
  try {
    return parseQuery(q, { now: 0, hasFilters: true })
  } catch (error) {
    const [item] = error instanceof AppError ? error.errors : []
    if (!item) throw error
    throw refusal(item.detail.replace(/^expected /, ''), item.position ?? 0, q)
  }
}

/** The text of a query without its operators; excluded parts and filters are left out. */
function textOf(root: QueryNode): string {
  const texts = leavesOf(root, 'asked').map((leaf) => {
    switch (leaf.kind) {
      case 'word':
      case 'exact':
      case 'prefix':
      case 'phrase':
      case 'quote':
        return leaf.text
      case 'hashtag':
      case 'mention':
      case 'cashtag':
        return leaf.value
      default:
        return ''
    }
  })
  return texts.join(' ')
}

/** The folded words of a part of a title. Titles are not queries: a bar, a quote or a `#` in one is decoration. */
export function readTitle(q: string): string[] {
  const { length } = [...q]
  if (length > MAX_QUERY_CHARS) {
    throw refusal(`at most ${MAX_QUERY_CHARS} characters, found ${length}`, MAX_QUERY_CHARS)
  }
  const { tokens } = analyze(q, null)
  if (tokens.length === 0) throw refusal(SOME_WORD, 0)
  return tokens.map(({ tok }) => tok)
}

const SOME_WORD = 'a word with a letter or digit, found none'

/** `text` is what the suggestion is made from. */
function refusal(expected: string, position: number, text = ''): AppError {
  const suggestion = plainWords(text) || undefined
  const detail = `expected ${expected}`
  return errorOf({ parameter: 'q', code: 'invalid_query', detail, position, suggestion })
}

/** Operators become lower case, because `OR` is an operator and `or` a word. */
function plainWords(text: string): string {
  const shown = [...text].slice(0, MAX_QUERY_CHARS).join('')
  const words = shown.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu) ?? []
  return words
    .slice(0, MAX_WORDS)
    .map((word) => (/^(?:AND|NOT|OR)$/.test(word) ? word.toLowerCase() : word))
    .join(' ')
}

function hasTerms({ text }: Word): boolean {
  return analyzeQueryWord(text).alternatives.length > 0
}

function isWord(node: QueryNode): node is Word {
  return node.kind === 'word'
}

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
