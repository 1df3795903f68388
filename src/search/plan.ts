import { AppError } from '../model/errors.ts'
import type { QueryNode, SearchQuery } from '../model/query.ts'
import { WINDOW_MS } from './search-index.ts'
import { createExpand } from './expand.ts'
import type { Expr, TermStats } from './expr.ts'
import { functionWords } from './function-words.ts'
import { exprOfFilters } from './plan-filters.ts'
import { exprOfLeaf, type Leaf } from './plan-leaf.ts'
import type { RankUnit } from './rank-unit.ts'

/** Bounds on what is kept in columns. */
export interface ColumnBounds {
  readonly minViews: number
  /** Exclusive. */
  readonly maxViews: number
  readonly minReactions: number
  readonly minSubscribers: number
  /** Seconds. */
  readonly arrivedSince: number
}

export interface Plan {
  /** Null: every post. */
  readonly expr: Expr | null
  /** The same without the words that may be relaxed. */
  readonly required: Expr | null
  /** The words the ranker looks for. */
  readonly units: readonly RankUnit[]
  /** Words that may be missing: their place in `units` and what matches them. Empty: nothing may be relaxed. */
  readonly relaxable: readonly { readonly unit: number; readonly expr: Expr; readonly df: number }[]
  /** Seconds, inclusive and exclusive. */
  readonly sinceS: number
  readonly untilS: number
  readonly bounds: ColumnBounds
  /** True when `bounds` can exclude anything. */
  readonly isBounded: boolean
  /** False when a prefix stands for more words than are looked at. */
  readonly complete: boolean
}

/** The ranker looks for so many words at most. */
const MAX_UNITS = 64

/** Throws `invalid_query` when nothing in the query can be searched for. */
export function planSearch(query: SearchQuery, now: number, stats: TermStats): Plan {
  const parts =
    query.root === null ? [] : query.root.kind === 'and' ? query.root.nodes : [query.root]
  const expand = createExpand(stats)
  const asking = functionWords(parts.flatMap((node) => (node.kind === 'word' ? [node.text] : [])))
  const units: RankUnit[] = []
  const must: Expr[] = []
  const wanted: Expr[] = []
  const words: { unit: number; expr: Expr; df: number }[] = []
  const found: { unit: RankUnit; expr: Expr; at: number }[] = []
  let sinceMs = Math.max(query.since, now - WINDOW_MS)
  let untilMs = query.until
  let minViews = query.filters.minViews ?? 0
  let maxViews = Infinity
  let complete = true
  let ignored = 0

  // What is said twice is one condition and one word to rank by.
  const leaves = new Map<string, Leaf | undefined>()
  const ranked = new Set<Leaf>()
  const leafOf = (node: QueryNode, isPositive: boolean): Expr | undefined => {
    const key = JSON.stringify({ ...node, start: 0, end: 0 })
    if (!leaves.has(key)) leaves.set(key, exprOfLeaf(node, query.match, stats, expand, asking))
    const leaf = leaves.get(key)
    if (!leaf) {
      ignored++
      return undefined
    }
    if (!leaf.complete) complete = false
    if (isPositive && !ranked.has(leaf)) {
      ranked.add(leaf)
      const room = MAX_UNITS - units.length
      found.push(...leaf.parts.slice(0, room).map((part, i) => ({ ...part, at: units.length + i })))
      units.push(...leaf.parts.slice(0, room).map((part) => part.unit))
    }
    return leaf.expr
  }
  const build = (node: QueryNode, isPositive: boolean): Expr | undefined => {
    if (node.kind === 'not') {
      const part = build(node.node, false)
      return part && { kind: 'not', part }
    }
    if (node.kind !== 'and' && node.kind !== 'or') return leafOf(node, isPositive)
    const built = [...new Set(node.nodes.flatMap((child) => build(child, isPositive) ?? []))]
    return built.length > 1 ? { kind: node.kind, parts: built } : built[0]
  }

  for (const node of parts) {
    if (node.kind === 'after') sinceMs = Math.max(sinceMs, node.at)
    else if (node.kind === 'before') untilMs = Math.min(untilMs, node.at)
    else if (node.kind === 'min_views') minViews = Math.max(minViews, node.value)
    else if (node.kind === 'not' && node.node.kind === 'min_views') {
      maxViews = Math.min(maxViews, node.node.value)
    } else {
      found.length = 0
      const expr = build(node, true)
      if (!expr || wanted.includes(expr)) continue
      if ((node.kind === 'word' || node.kind === 'quote') && found.length > 0) {
        wanted.push(expr)
        words.push(...found.map((part) => ({ unit: part.at, expr: part.expr, df: part.unit.df })))
      } else must.push(expr)
    }
  }
  must.push(...exprOfFilters(query.filters))
  const bounds: ColumnBounds = {
    minViews,
    maxViews,
    minReactions: query.filters.minReactions ?? 0,
    minSubscribers: query.filters.minSubscribers ?? 0,
    // The column holds whole seconds, rounded down: so is the bound, or it would miss a post of its own second.
    arrivedSince: Math.floor((query.arrivedSince ?? 0) / 1000),
  }
  const all = conjunction([...wanted, ...must])
  if (all === null && ignored > 0) {
    throw new AppError('invalid_query', 'expected a word with a letter or digit, found none', {
      errors: [
        { parameter: 'q', code: 'invalid_query', detail: 'nothing in it can be searched for' },
      ],
    })
  }
  const mayRelax = query.sort === 'relevance' && query.match === 'stem' && !query.strict
  return {
    expr: all,
    required: conjunction(must),
    units,
    relaxable: mayRelax && words.length > 0 && units.length > 1 ? words : [],
    sinceS: Math.ceil(sinceMs / 1000),
    untilS: Math.ceil(untilMs / 1000),
    bounds,
    isBounded:
      bounds.minViews > 0 ||
      bounds.maxViews < Infinity ||
      bounds.minReactions > 0 ||
      bounds.minSubscribers > 0 ||
      bounds.arrivedSince > 0,
    complete,
  }
}

export function conjunction(parts: readonly Expr[]): Expr | null {
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null)
}
