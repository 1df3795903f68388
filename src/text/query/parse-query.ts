import { AppError } from '../../model/errors.ts'
import type { QueryNode } from '../../model/query.ts'
import { lexQuery, type Token } from './lex-query.ts'
import { printQuery } from './print-query.ts'
import { findStrayBound, liftBounds } from './query-bounds.ts'
import { QueryProblem, replaceRange } from './query-problem.ts'

export const MAX_QUERY_CHARS = 512
const MAX_QUERY_TERMS = 64
const MAX_QUERY_DEPTH = 8

/** Each attempt mends one thing; pathological input runs out of attempts, not of time. */
export const MAX_REPAIRS = 24

export interface ParseQueryOptions {
  /** What ages such as `after:24h` count back from. */
  readonly now: number
  /** The time zone in which days begin; UTC unless given. */
  readonly zone?: string | undefined
  /** True when filters are given beside the query; it may then consist of negations alone. */
  readonly hasFilters?: boolean
  /** The parameter named in errors. */
  readonly parameter?: string
}

/**
 * Reads a query; throws `invalid_query` with the position, what was expected and found, and a suggestion that
 * parses. Groups are flattened and double negations resolved, so equal queries give equal trees.
 */
export function parseQuery(q: string, options: ParseQueryOptions): QueryNode {
  try {
    return parseOnce(q, options)
  } catch (problem) {
    if (!(problem instanceof QueryProblem)) throw problem
    throw refusal(problem, options)
  }
}

/** The error for a query that cannot be read, with a suggestion that parses if there is one. */
export function refusal(problem: QueryProblem, options: ParseQueryOptions): AppError {
  const suggestion = repair(problem, options)
  const detail =
    suggestion === undefined ? problem.message : `${problem.message}; try: ${suggestion}`
  return new AppError('invalid_query', detail, {
    errors: [
      {
        parameter: options.parameter ?? 'q',
        code: 'invalid_query',
        detail: problem.message,
        position: problem.position,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  })
}

function repair(first: QueryProblem, options: ParseQueryOptions): string | undefined {
  let problem = first
  for (let attempt = 0; attempt < MAX_REPAIRS; attempt++) {
    const mended = problem.mended.replaceAll(/\s+/gu, ' ').trim()
    if (mended === '') return undefined
    try {
      parseOnce(mended, options)
      return mended
    } catch (next) {
      if (!(next instanceof QueryProblem)) throw next
      problem = next
    }
  }
  return undefined
}

/** One attempt; throws a QueryProblem. */
export function parseOnce(q: string, options: ParseQueryOptions, isText = false): QueryNode {
  const length = [...q].length
  if (length > MAX_QUERY_CHARS) throw tooLong(q, length)
  const tokens = lexQuery(q, { now: options.now, zone: options.zone ?? 'UTC' }, isText)
  const root = createParser(q, tokens).query()
  if (!root) throw new QueryProblem(0, 'expected at least one word or operator, found none', '')
  checkBounds(root)
  if (!options.hasFilters && !isAnchored(root)) {
    // A query such as -15°C is a number with its sign, not an exclusion.
    const number = /^\s*[-−](?=\p{N}\S*\s*$)/u.exec(q)?.[0]
    throw new QueryProblem(
      tokens.find((token) => token.kind === 'not')?.start ?? 0,
      'expected a word, operator or filter beside what is excluded, found negations alone',
      `after:7d ${root.kind === 'or' ? `(${printQuery(root)})` : printQuery(root)}`,
      number === undefined ? { isRefused: true } : { read: q.slice(number.length) },
    )
  }
  return root
}

function createParser(q: string, tokens: readonly Token[]) {
  let next = 0
  let terms = 0

  return {
    query(): QueryNode | undefined {
      const node = alternatives(0)
      const extra = tokens[next]
      if (!extra) return node
      throw new QueryProblem(
        extra.start,
        'expected the end of the query, found a closing parenthesis that was not opened',
        replaceRange(q, extra.start, extra.end, ' '),
      )
    },
  }

  /** conjunction (OR conjunction)*; undefined when there is nothing but empty groups. */
  function alternatives(depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = []
    for (;;) {
      const operator = tokens[next - 1]
      const node = conjunction(depth)
      if (node) nodes.push(node)
      else if (operator?.kind === 'or') throw missing(operator, 'OR', 'after')
      const token = tokens[next]
      if (token?.kind !== 'or') return join('or', nodes)
      if (!node) throw missing(token, 'OR', 'before')
      next++
    }
  }

  function conjunction(depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = []
    for (;;) {
      const token = tokens[next]
      if (!token || token.kind === ')' || token.kind === 'or') return join('and', nodes)
      if (token.kind === 'and') {
        if (nodes.length === 0) throw missing(token, 'AND', 'before')
        next++
        const node = operand(depth)
        if (!node) throw missing(token, 'AND', 'after')
        nodes.push(node)
        continue
      }
      const node = operand(depth)
      if (node) nodes.push(node)
    }
  }

  function operand(depth: number): QueryNode | undefined {
    const token = tokens[next]
    switch (token?.kind) {
      case 'not': {
        next++
        const node = operand(depth)
        if (!node) throw missing(token, q.slice(token.start, token.end), 'after')
        return negate(node)
      }
      case '(':
        return group(token, depth + 1)
      case 'leaf':
        return leaf(token)
      default:
        return undefined
    }
  }

  function group(open: Token, depth: number): QueryNode | undefined {
    if (depth > MAX_QUERY_DEPTH) {
      throw new QueryProblem(
        open.start,
        `expected at most ${MAX_QUERY_DEPTH} groups inside one another, found another`,
        q.replaceAll(/[()（）]/g, ' '),
      )
    }
    next++
    const node = alternatives(depth)
    if (tokens[next]?.kind !== ')') {
      throw new QueryProblem(
        open.start,
        'expected a closing parenthesis, found the end of the query',
        `${q})`,
      )
    }
    next++
    return node
  }

  function leaf(token: Extract<Token, { kind: 'leaf' }>): QueryNode {
    terms += token.terms
    if (terms > MAX_QUERY_TERMS) {
      throw new QueryProblem(
        token.start,
        `expected at most ${MAX_QUERY_TERMS} terms, found more`,
        q.slice(0, token.start),
        { read: asFarAsRoom(q, token) },
      )
    }
    next++
    // `has` values must all hold, as in the parameter of that name; the others are alternatives.
    return join(token.leaves[0]?.kind === 'has' ? 'and' : 'or', token.leaves)!
  }

  function missing(token: Token, name: string, where: 'before' | 'after'): QueryProblem {
    const found = tokens[where === 'after' ? next : next - 1]
    const what = found ? `"${q.slice(found.start, found.end)}"` : `the ${ENDS[where]} of the query`
    const mended = replaceRange(q, token.start, token.end, ' ')
    return new QueryProblem(
      token.start,
      `expected a word or group ${where} ${name}, found ${what}`,
      mended.trim() === '' ? `"${name}"` : mended,
    )
  }
}

/**
 * The query up to the term that exceeds the limit. If that term is over the limit by itself, a phrase is read as its words,
 * and any other first term is cut.
 */
function asFarAsRoom(
  q: string,
  { start, terms, leaves }: Extract<Token, { kind: 'leaf' }>,
): string {
  const [before, rest] = [q.slice(0, start), q.slice(start)]
  if (terms <= MAX_QUERY_TERMS) return before
  const kind = leaves[0]?.kind
  if (kind === 'phrase' || kind === 'quote') return before + rest.replaceAll(QUOTATION_MARKS, ' ')
  return before.trim() === '' ? [...rest].slice(0, MAX_QUERY_TERMS).join('') : before
}

const QUOTATION_MARKS = /["“”„‟＂«»]/g
const ENDS = { before: 'start', after: 'end' } as const

function join(kind: 'and' | 'or', nodes: readonly QueryNode[]): QueryNode | undefined {
  const flat = nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node]))
  return flat.length > 1 ? { kind, nodes: flat } : flat[0]
}

function negate(node: QueryNode): QueryNode {
  switch (node.kind) {
    case 'not':
      return node.node
    case 'after':
      return { ...node, kind: 'before' }
    case 'before':
      return { ...node, kind: 'after' }
    default:
      return { kind: 'not', node }
  }
}

function checkBounds(root: QueryNode): void {
  const stray = findStrayBound(root)
  if (!stray) return
  throw new QueryProblem(
    stray.start,
    `expected ${stray.kind}: outside groups with OR or a negation, where it narrows the whole query, found it inside one`,
    printQuery(liftBounds(root)),
  )
}

/** True when every alternative has a part that is not negated. */
function isAnchored(node: QueryNode): boolean {
  switch (node.kind) {
    case 'not':
      return false
    case 'and':
      return node.nodes.some(isAnchored)
    case 'or':
      return node.nodes.every(isAnchored)
    default:
      return true
  }
}

function tooLong(q: string, length: number): QueryProblem {
  const kept = [...q].slice(0, MAX_QUERY_CHARS)
  const cut = kept.join('')
  const space = cut.lastIndexOf(' ')
  return new QueryProblem(
    cut.length,
    `expected at most ${MAX_QUERY_CHARS} characters, found ${length}`,
    space > 0 ? cut.slice(0, space) : cut,
  )
}
