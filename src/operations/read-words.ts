import { AppError } from '../model/errors.ts'
import type { QueryNode } from '../model/query.ts'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import { parseQuery } from '../text/parse-query.ts'

/** Each word costs a look-up, or a pass over every post of a page. */
const MAX_WORDS = 32

export type Word = Extract<QueryNode, { readonly text: string }> & { readonly kind: 'word' }

/**
 * The words of a `q` that knows no operators. It is read with the search's own parser, so that whatever means something
 * there is refused here and not taken for a word; throws `invalid_query`.
 */
export function readWords(q: string): Word[] {
  const root = parseQuery(q, { now: 0, hasFilters: true })
  const parts = root.kind === 'and' ? root.nodes : [root]
  const words = parts.filter(isWord).filter(hasTerms)
  const stray = parts.find((part) => !isWord(part) || !hasTerms(part)) ?? words[MAX_WORDS]
  if (!stray) return words
  const expected = !isWord(stray)
    ? 'words alone, found an operator'
    : hasTerms(stray)
      ? `at most ${MAX_WORDS} words, found more`
      : 'a word with a letter or digit, found none'
  const kept = words.slice(0, MAX_WORDS).map(({ text }) => text)
  throw new AppError('invalid_query', `expected ${expected}`, {
    errors: [
      {
        parameter: 'q',
        code: 'invalid_query',
        detail: `expected ${expected}`,
        position: startOf(stray),
        ...(kept.length === 0 ? {} : { suggestion: kept.join(' ') }),
      },
    ],
  })
}

function hasTerms({ text }: Word): boolean {
  return analyzeQueryWord(text).alternatives.length > 0
}

function isWord(node: QueryNode): node is Word {
  return node.kind === 'word'
}

function startOf(node: QueryNode): number {
  if ('start' in node) return node.start
  return startOf(node.kind === 'not' ? node.node : node.nodes[0]!)
}
