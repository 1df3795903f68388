import { getOrMake } from '../../model/get-or-make.ts'
import type { Expr } from '../expr.ts'
import { EVERY_POST } from '../terms.ts'
import type { PercolatedPost } from './percolated-post.ts'
import { isSatisfied, type StandingQuery } from './standing-query.ts'

export { PercolatedPost, readPercolatedPost } from './percolated-post.ts'
export { standingQuery, type StandingQuery } from './standing-query.ts'

/**
 * A search the other way round: queries wait, and a post finds those it satisfies. Each query is filed under its longest
 * required word, so that a post is compared with few of them. The result is the same as that of a search.
 */
interface Percolator<Key> {
  readonly size: number
  /** Adds a query, or replaces the one with that key. */
  add(key: Key, query: StandingQuery): void
  delete(key: Key): void
  /** The keys of the queries that the post satisfies, in no particular order. */
  match(post: PercolatedPost): Key[]
}

/** Whether a post satisfies one query. */
export function predicateOf(standing: StandingQuery): (post: PercolatedPost) => boolean {
  return (post) => isSatisfied(standing, post)
}

interface Filed<Key> {
  readonly key: Key
  readonly query: StandingQuery
  /** Each post that satisfies the query holds one of them. */
  readonly terms: readonly string[]
}

export function createPercolator<Key>(): Percolator<Key> {
  const queries = new Map<Key, Filed<Key>>()
  const byTerm = new Map<string, Set<Filed<Key>>>()

  function remove(key: Key): void {
    const filed = queries.get(key)
    if (!filed) return
    queries.delete(key)
    for (const term of filed.terms) {
      const others = byTerm.get(term)
      others?.delete(filed)
      if (others?.size === 0) byTerm.delete(term)
    }
  }

  return {
    get size() {
      return queries.size
    },
    add(key, query) {
      remove(key)
      const terms = (query.root && longestTerms(query.root)) ?? [EVERY_POST]
      const filed = { key, query, terms }
      queries.set(key, filed)
      for (const term of terms) getOrMake(byTerm, term, () => new Set()).add(filed)
    },
    delete: remove,
    match(post) {
      const candidates = new Set<Filed<Key>>()
      for (const term of post.terms) {
        for (const filed of byTerm.get(term) ?? []) candidates.add(filed)
      }
      const found: Key[] = []
      for (const { key, query } of candidates) if (isSatisfied(query, post)) found.push(key)
      return found
    },
  }
}

/** The terms of the longest required word, any of which a post must hold; undefined if no word is required. */
function longestTerms(expr: Expr): readonly string[] | undefined {
  switch (expr.kind) {
    case 'not':
      return undefined
    case 'any':
      return expr.prefix === undefined ? expr.terms : undefined
    case 'phrase': {
      const { toks, ending } = expr
      return longest([
        ...toks.map((tok) => [tok]),
        ending?.prefix === undefined ? ending?.toks : undefined,
      ])
    }
    case 'or': {
      const parts = expr.parts.map(longestTerms)
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined
    }
    case 'and':
      return longest(expr.parts.map(longestTerms))
  }
}

/** Long words are rare. Of several, any of which a post may hold, the shortest counts. */
function longest(
  choices: readonly (readonly string[] | undefined)[],
): readonly string[] | undefined {
  let best: readonly string[] | undefined
  let most = -1
  for (const terms of choices) {
    const length = Math.min(...(terms ?? []).map(lengthOf))
    if (terms && length > most) [best, most] = [terms, length]
  }
  return best
}

/** What a filter requires, such as a language, many posts have, however it is written. */
function lengthOf(term: string): number {
  return term.startsWith(':') ? 0 : term.length
}
