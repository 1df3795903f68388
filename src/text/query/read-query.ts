import type { QueryNode } from '../../model/query.ts'
import { clean } from './lex-query.ts'
import { MAX_REPAIRS, parseOnce, refusal, type ParseQueryOptions } from './parse-query.ts'
import { explainQuery } from './print-query.ts'
import { QueryProblem } from './query-problem.ts'
import { isRunningText } from './running-text.ts'

/** The result of reading a query leniently. */
export interface QueryReading {
  readonly root: QueryNode
  /** `text` when it was read as running text and reading its operators would have given a different query. */
  readonly kind: 'operators' | 'text'
  /** The first problem that was found, and the query that was read instead; null when nothing had to be mended. */
  readonly repair: { readonly problem: string; readonly read: string } | null
}

/**
 * Reads whatever is typed: running text as text, and a malformed query after mending it. Throws `invalid_query` only where
 * nobody but the author can know what was meant: an invalid value of an operator, or nothing to search for.
 */
export function readQuery(q: string, options: ParseQueryOptions): QueryReading {
  const cell = cellOf(q)
  if (cell === undefined) return readMended(q, options, false)
  const problem = 'expected quotes that stand once, found a cell of a table'
  // Somebody who pastes a table cell does not write operators.
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
/** A doubled quote without a letter on one side; between two adjacent phrases there are letters on both sides. */
const QUOTE_IN_CELL = /(?<![\p{L}\p{N}])""|""(?![\p{L}\p{N}])/u

/** The text of a table cell that was pasted in its CSV form: in quotes, with each quote inside doubled. */
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
/** Words are taken from at most this many units at the start of the query. */
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

/** True when reading the query with its operators gives the same tree, as it does for mere words. */
function isSame(root: QueryNode, q: string, options: ParseQueryOptions): boolean {
  try {
    const other = parseOnce(q, options)
    return JSON.stringify(explainQuery(other)) === JSON.stringify(explainQuery(root))
  } catch (problem) {
    if (problem instanceof QueryProblem) return false
    throw problem
  }
}
