import { hash } from 'node:crypto'
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
  readonly root: Node | null
  readonly sinceS: number
  readonly untilS: number
  readonly ranges: readonly NumberRange[]
}

export type Node =
  | Leaf
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node }

/** One condition. Equal conditions have the same key, so that the percolator evaluates each once per post. */
export interface Leaf {
  readonly kind: 'leaf'
  readonly key: string
  readonly expr: Extract<Expr, { kind: 'any' | 'phrase' }>
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
  const root = expr && nodeOf(expr)
  return { root, sinceS, untilS, ranges }
}

const NO_INDEX: TermStats = {
  posts: NaN,
  df: () => NaN,
  mayLag: true,
  expand: () => ({ toks: [], complete: true }),
}

function nodeOf(expr: Expr): Node {
  switch (expr.kind) {
    case 'and':
    case 'or':
      return { kind: expr.kind, parts: expr.parts.map(nodeOf) }
    case 'not':
      return { kind: 'not', part: nodeOf(expr.part) }
    case 'any':
    case 'phrase':
      return { kind: 'leaf', key: keyOf(expr), expr }
  }
}

/** Replaces each leaf by `leafOf` of it. */
export function withLeaves(node: Node, leafOf: (leaf: Leaf) => Leaf): Node {
  switch (node.kind) {
    case 'leaf':
      return leafOf(node)
    case 'not':
      return { kind: 'not', part: withLeaves(node.part, leafOf) }
    case 'and':
    case 'or':
      return { kind: node.kind, parts: node.parts.map((part) => withLeaves(part, leafOf)) }
  }
}

/**
 * Equal only for expressions that ask for the same: all callers share their leaves, and nobody may find one that stands for
 * another's. A hash instead of the text, since a word has dozens of stems.
 */
function keyOf(expr: Leaf['expr']): string {
  return hash('sha256', JSON.stringify(expr), 'base64')
}

export function holdsLeaf(post: PercolatedPost, { expr }: Leaf): boolean {
  if (expr.kind === 'phrase') return post.holdsPhrase(expr.toks, expr.ending)
  if (expr.prefix !== undefined) return post.holdsPrefix(expr.prefix)
  const { terms } = post
  for (const term of expr.terms) if (terms.has(term)) return true
  return false
}

/** Whether the post satisfies the query, as a search would decide. */
export function isSatisfied(
  query: StandingQuery,
  post: PercolatedPost,
  holds: (leaf: Leaf) => boolean = (leaf) => holdsLeaf(post, leaf),
): boolean {
  return isBounded(query, post) && (query.root === null || isTrue(query.root, holds))
}

function isTrue(node: Node, holds: (leaf: Leaf) => boolean): boolean {
  switch (node.kind) {
    case 'leaf':
      return holds(node)
    case 'not':
      return !isTrue(node.part, holds)
    case 'and':
      for (const part of node.parts) if (!isTrue(part, holds)) return false
      return true
    case 'or':
      for (const part of node.parts) if (isTrue(part, holds)) return true
      return false
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
