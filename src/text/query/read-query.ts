import type { QueryNode } from '../../model/query.ts'
import { clean } from './lex-query.ts'
import { MAX_REPAIRS, parseOnce, refusal, type ParseQueryOptions } from './parse-query.ts'
import { explainQuery } from './print-query.ts'
import { QueryProblem } from './query-problem.ts'
import { isRunningText } from './running-text.ts'

/** A query as it was read by who forgives its form. */
export interface QueryReading {
  readonly root: QueryNode
  /** `text`: as running text, where that is another query than its signs would make of it. */
  readonly kind: 'operators' | 'text'
  /** What was wrong with it at first, and the query that was read instead. */
  readonly repair: { readonly problem: string; readonly read: string } | null
}

/**
 * Reads whatever is typed: running text as text, and what cannot be read after mending it. Throws `invalid_query` where
 * only the author can know what was meant: a value that an operator does not take, nothing to look for.
 */
export function readQuery(q: string, options: ParseQueryOptions): QueryReading {
  const cell = cellOf(q)
  if (cell === undefined) return readMended(q, options, false)
  const problem = 'expected quotes that stand once, found a cell of a table'
  // Who pastes one does not write operators.
  return { ...readMended(cell, options, true), repair: { problem, read: cell } }
}

function readMended(q: string, options: ParseQueryOptions, isText: boolean): QueryReading {
  let first: QueryProblem | undefined
  let read = q
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    try {
      const repair = first ? { problem: first.message, read } : null
      return { ...readOnce(read, options, isText), repair }
    } catch (problem) {
      if (!(problem instanceof QueryProblem)) throw problem
      first ??= problem
      const next = problem.read?.replaceAll(/\s+/gu, ' ').trim()
      if (next === undefined && first === problem) throw refusal(first, options)
      if (next === undefined || next === '' || next === read) break
      read = next
    }
  }
  const words = wordsAlone(q)
  try {
    return { ...readOnce(words, options, isText), repair: { problem: first!.message, read: words } }
  } catch (problem) {
    if (!(problem instanceof QueryProblem)) throw problem
    throw refusal(first!, options)
  }
}

const CELL = /^"(?:[^"]|"")+"$/
/** With no letter on one side: phrases side by side have letters on both. */
const QUOTE_IN_CELL = /(?<![\p{L}\p{N}])""|""(?![\p{L}\p{N}])/u

/** What a cell of a table says that was pasted as the file has it: in quotes, with each quote in it written twice. */
function cellOf(q: string): string | undefined {
  const text = q.trim()
  const cell = text.slice(1, -1)
  return CELL.test(text) && QUOTE_IN_CELL.test(cell) ? cell.replaceAll('""', '"') : undefined
}

const MAX_WORDS = 16
const MAX_WORD = 30

/** What is left of a query that cannot be mended: its first words, without any sign. */
function wordsAlone(q: string): string {
  const words =
    clean(q.slice(0, MAX_QUERY_READ)).text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const distinct = new Set(words.filter((word) => word.length <= MAX_WORD && !OPERATOR.test(word)))
  return [...distinct].slice(0, MAX_WORDS).join(' ')
}

const OPERATOR = /^(?:AND|OR|NOT)$/
/** Of what is typed, so much may hold words. */
const MAX_QUERY_READ = 2048

function readOnce(
  q: string,
  options: ParseQueryOptions,
  isText: boolean,
): Omit<QueryReading, 'repair'> {
  const { text } = clean(q)
  if (!isText && !isRunningText(text, { now: options.now, zone: options.zone ?? 'UTC' })) {
    return { root: parseOnce(q, options), kind: 'operators' }
  }
  const root = parseOnce(q, options, true)
  return { root, kind: isSame(root, q, options) ? 'operators' : 'text' }
}

/** Mere words are the same query either way. */
function isSame(root: QueryNode, q: string, options: ParseQueryOptions): boolean {
  try {
    const other = parseOnce(q, options)
    return JSON.stringify(explainQuery(other)) === JSON.stringify(explainQuery(root))
  } catch (problem) {
    if (problem instanceof QueryProblem) return false
    throw problem
  }
}
