import type { SearchQuery } from '../../model/query.ts'
import type { Expr, TermStats } from '../expr.ts'
import { planSearch, type Plan } from '../plan.ts'
import type { JudgedPost } from './judged-post.ts'

/** A query that waits for posts: what the planner made of it, to be held against one post at a time. */
export interface StandingQuery {
  /** Null: every post. */
  readonly root: Node | null
  readonly plan: Pick<Plan, 'sinceS' | 'untilS' | 'bounds' | 'isBounded'>
}

export type Node =
  | Leaf
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node }

/** One condition. Those of the same words are one object, so that a post is held against each of them once. */
export interface Leaf {
  readonly kind: 'leaf'
  readonly key: string
  readonly expr: Extract<Expr, { kind: 'any' | 'phrase' }>
}

/**
 * Plans as every index does. There is no index to ask: no term is left out because nobody holds it yet, and a prefix stands
 * for every word that begins so. Throws as `planSearch` does.
 */
export function standingQuery(
  query: SearchQuery,
  now: number,
  leafOf: (expr: Leaf['expr']) => Leaf = newLeaf,
): StandingQuery {
  // Whoever waits waits for all words: there is nothing to relax.
  const { expr, sinceS, untilS, bounds, isBounded } = planSearch(
    { ...query, sort: 'newest', facets: [] },
    now,
    NO_INDEX,
  )
  return { root: expr && nodeOf(expr, leafOf), plan: { sinceS, untilS, bounds, isBounded } }
}

const NO_INDEX: TermStats = {
  posts: NaN,
  df: () => NaN,
  mayLag: true,
  expand: () => ({ toks: [], complete: true }),
}

function nodeOf(expr: Expr, leafOf: (expr: Leaf['expr']) => Leaf): Node {
  switch (expr.kind) {
    case 'and':
    case 'or':
      return { kind: expr.kind, parts: expr.parts.map((part) => nodeOf(part, leafOf)) }
    case 'not':
      return { kind: 'not', part: nodeOf(expr.part, leafOf) }
    case 'any':
    case 'phrase':
      return leafOf(expr)
  }
}

export function newLeaf(expr: Leaf['expr']): Leaf {
  return { kind: 'leaf', key: keyOf(expr), expr }
}

/** The same for expressions that ask for the same. */
export function keyOf(expr: Leaf['expr']): string {
  return expr.kind === 'any'
    ? `any ${expr.prefix ?? ''}\n${expr.terms.join('\n')}`
    : `phrase ${expr.ending?.prefix ?? ''}\n${expr.toks.join('\n')}`
}

export function holdsLeaf(post: JudgedPost, { expr }: Leaf): boolean {
  if (expr.kind === 'phrase') return post.holdsPhrase(expr.toks, expr.ending?.prefix)
  if (expr.prefix !== undefined) return post.holdsBeginning(expr.prefix)
  const { terms } = post
  for (const term of expr.terms) if (terms.has(term)) return true
  return false
}

/** Whether the post satisfies the query, as a search would say that finds it. */
export function isSatisfied(
  { root, plan }: StandingQuery,
  post: JudgedPost,
  holds: (leaf: Leaf) => boolean = (leaf) => holdsLeaf(post, leaf),
): boolean {
  return isWithin(plan, post) && (root === null || isTrue(root, holds))
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

function isWithin(plan: StandingQuery['plan'], { document }: JudgedPost): boolean {
  const sec = Math.floor(document.publishedAt / 1000)
  if (sec < plan.sinceS || sec >= plan.untilS) return false
  if (!plan.isBounded) return true
  const { views, reactions, subscribers, firstCapturedAt } = document
  const { bounds } = plan
  return (
    views >= bounds.minViews &&
    views < bounds.maxViews &&
    reactions >= bounds.minReactions &&
    subscribers >= bounds.minSubscribers &&
    Math.floor(firstCapturedAt / 1000) >= bounds.arrivedSince
  )
}
