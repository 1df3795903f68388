import type { SearchQuery } from '../../model/query.ts'
import type { Expr, TermStats } from '../expr.ts'
import { isWithin, type NumberName, type NumberRange } from '../number-ranges.ts'
import { planSearch } from '../plan.ts'
import { secondsOf } from '../prior.ts'
import type { IndexDocument } from '../search-index.ts'
import type { PercolatedPost } from './percolated-post.ts'

/** A query that waits for posts: its plan, to be evaluated for one post at a time. */
export interface StandingQuery {
  /** Null matches every post. */
  readonly root: Expr | null
  readonly sinceS: number
  readonly untilS: number
  readonly ranges: readonly NumberRange[]
}

/**
 * Plans as every index does. There is no index to ask: no term is left out because no post holds it yet, and a prefix
 * stands for every word that starts with it. Throws as `planSearch` does.
 */
export function standingQuery(query: SearchQuery, now: number): StandingQuery {
  // A standing query waits for posts with all its words, so nothing is relaxed.
  const { expr, sinceS, untilS, ranges } = planSearch(
    { ...query, sort: 'newest', facets: [] },
    now,
    NO_INDEX,
  )
  return { root: expr, sinceS, untilS, ranges }
}

const NO_INDEX: TermStats = {
  posts: NaN,
  df: () => NaN,
  mayLag: true,
  expand: () => ({ toks: [], complete: true }),
}

/** Whether the post satisfies the query, as a search would decide. */
export function isSatisfied(query: StandingQuery, post: PercolatedPost): boolean {
  return isBounded(query, post) && (query.root === null || holds(post, query.root))
}

function holds(post: PercolatedPost, expr: Expr): boolean {
  switch (expr.kind) {
    case 'any':
      if (expr.prefix !== undefined) return post.holdsPrefix(expr.prefix)
      return expr.terms.some((term) => post.terms.has(term))
    case 'phrase':
      return post.holdsPhrase(expr.toks, expr.ending)
    case 'not':
      return !holds(post, expr.part)
    case 'and':
      return expr.parts.every((part) => holds(post, part))
    case 'or':
      return expr.parts.some((part) => holds(post, part))
  }
}

function isBounded(
  { sinceS, untilS, ranges }: StandingQuery,
  { document }: PercolatedPost,
): boolean {
  const sec = secondsOf(document.publishedAt)
  return sec >= sinceS && sec < untilS && isWithin(ranges, (name) => NUMBERS[name](document))
}

const NUMBERS: Readonly<Record<NumberName, (document: IndexDocument) => number>> = {
  views: ({ views }) => views,
  reactions: ({ reactions }) => reactions,
  subscribers: ({ subscribers }) => subscribers,
  arrived: ({ firstCapturedAt }) => secondsOf(firstCapturedAt),
}
