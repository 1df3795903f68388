import { AppError } from '../model/errors.ts'
import type { QueryNode, SearchQuery } from '../model/query.ts'
import { partsOf } from '../model/query-tree.ts'
import { WINDOW_MS } from './search-index.ts'
import { createExpand, type Expand } from './expand.ts'
import { SEARCH_LIMITS, type SearchLimits } from './limits.ts'
import type { Expr, TermStats } from './expr.ts'
import { weakWords } from '../text/function-words.ts'
import { joinedWords, type JoinedWord, type JoinedWords } from '../text/joined-words.ts'
import { isBound } from '../text/query/query-bounds.ts'
import { excluding, type NumberRange } from './number-ranges.ts'
import { exprOfFilters } from './plan-filters.ts'
import { exprOfJoined, exprOfLeaf, withJoined, type Leaf } from './plan-leaf.ts'
import { MAX_UNITS } from './rank.ts'
import { asName, type RankUnit } from './rank-unit.ts'

export interface Plan {
  /** Null: every post. */
  readonly expr: Expr | null
  /** The same without the words that may be relaxed. */
  readonly required: Expr | null
  /** The words the ranker looks for. */
  readonly units: readonly RankUnit[]
  /** What matches each word that is asked for, as it stands in `expr`, by how it was typed. */
  readonly asked: ReadonlyMap<string, Expr>
  /** Words that may be missing: their place in `units` and what matches them. Empty: nothing may be relaxed. */
  readonly relaxable: readonly { readonly unit: number; readonly expr: Expr; readonly df: number }[]
  /** Matches all the query asks for, where the ranker cannot tell such posts from those that hold some of it; else null. */
  readonly strict: Expr | null
  /** Seconds, inclusive and exclusive. */
  readonly sinceS: number
  readonly untilS: number
  /** Each excludes something. */
  readonly ranges: readonly NumberRange[]
  /** False when a prefix stands for more words than are looked at. */
  readonly complete: boolean
  /** What the search may cost. */
  readonly limits: SearchLimits
}

/** How many units each leaf may have, so that none is left without. */
function shareOf(sizes: readonly number[]): number {
  let share = MAX_UNITS
  while (share > 1 && sizes.reduce((sum, size) => sum + Math.min(size, share), 0) > MAX_UNITS)
    share--
  return share
}

/** Words as they were planned before, until a frequency changes: most words of a query come in others too. */
export type LeafCache = Map<string, Leaf | undefined>

type Stats = TermStats & { readonly leaves?: LeafCache }

/** Longer ones, which may have many parts, are seldom asked for twice. */
const MAX_CACHED_WORD = 24
const NONE_JOINED: JoinedWords = new Map()

/** Throws `invalid_query` when nothing in the query can be searched for. */
export function planSearch(
  query: SearchQuery,
  now: number,
  stats: Stats,
  limits: SearchLimits = SEARCH_LIMITS,
): Plan {
  const parts = partsOf(query.root)
  const planLeaf = createLeafPlanner(query, stats, limits)
  const ranked = new Set<Leaf>()
  const words = new Set<Leaf>()
  const asked = new Map<string, Expr>()
  const must: Expr[] = []
  let complete = true
  let ignored = 0

  function leafOf(node: QueryNode, isPositive: boolean, joined: JoinedWords): Leaf | undefined {
    const leaf = planLeaf(node, joined)
    if (!leaf) {
      ignored++
      return undefined
    }
    if (!leaf.complete) complete = false
    if (isPositive) ranked.add(leaf)
    if (isPositive && node.kind === 'word') asked.set(node.text, leaf.expr)
    return leaf
  }
  const joinedIn = (nodes: readonly QueryNode[]): JoinedWords =>
    query.match === 'stem' ? joinedWords(nodes) : NONE_JOINED
  function build(node: QueryNode, isPositive: boolean, around = NONE_JOINED): Expr | undefined {
    if (node.kind === 'not') {
      const part = build(node.node, false)
      return part && { kind: 'not', part }
    }
    if (node.kind !== 'and' && node.kind !== 'or') return leafOf(node, isPositive, around)?.expr
    const joined = node.kind === 'and' ? joinedIn(node.nodes) : NONE_JOINED
    const built = node.nodes.flatMap((child) => build(child, isPositive, joined) ?? [])
    const distinct = [...new Set(built)]
    return distinct.length > 1 ? { kind: node.kind, parts: distinct } : distinct[0]
  }

  const joined = joinedIn(parts)
  for (const node of parts.filter((part) => !isBound(part))) {
    const mayLack = node.kind === 'word' || node.kind === 'quote' || 'wanted' in node
    const word = mayLack ? leafOf(node, true, joined) : undefined
    const expr = word ? word.expr : build(node, true)
    if (word && word.parts.length > 0) words.add(word)
    else if (expr) must.push(expr)
  }
  must.push(...exprOfFilters(query.filters))
  const all = conjunction([...[...words].map(({ expr }) => expr), ...must])
  if (all === null && ignored > 0) {
    throw new AppError('invalid_query', 'expected a word with a letter or digit, found none', {
      errors: [
        { parameter: 'q', code: 'invalid_query', detail: 'nothing in it can be searched for' },
      ],
    })
  }
  const units: RankUnit[] = []
  const relaxable: { unit: number; expr: Expr; df: number }[] = []
  const hasNames = tellsNames(parts)
  const share = shareOf([...ranked].map((leaf) => leaf.parts.length))
  for (const leaf of ranked) {
    for (const { unit, expr } of leaf.parts.slice(0, share)) {
      if (words.has(leaf)) relaxable.push({ unit: units.length, expr, df: unit.df })
      units.push(hasNames && CAPITAL.test(unit.text) ? asName(unit) : unit)
    }
  }
  const mayRelax = query.sort === 'relevance' && query.match === 'stem' && !query.strict
  return {
    expr: all,
    required: conjunction(must),
    units,
    asked,
    relaxable: mayRelax && units.length > 1 ? relaxable : [],
    strict: [...words].some((leaf) => leaf.isUnseen) ? all : null,
    ...boundsOf(query, now),
    complete,
    limits,
  }
}

/** Plans the leaves of one query, each with what it may be written as together with its neighbours. */
function createLeafPlanner({ root, match }: SearchQuery, stats: Stats, limits: SearchLimits) {
  const expand = createExpand(stats, limits)
  // French and Romanian ask with compounds too: est-ce, s-ar.
  const asking = weakWords(
    partsOf(root).flatMap((node) =>
      node.kind === 'word' ? [node.text, ...node.text.split('-')] : [],
    ),
  )
  // What is said twice is one condition and one word to rank by.
  const planned = new Map<string, Leaf | undefined>()

  function planAlone(node: QueryNode): Leaf | undefined {
    const isCached = stats.leaves && node.kind === 'word' && node.text.length <= MAX_CACHED_WORD
    if (!isCached) return exprOfLeaf(node, { match, stats, expand, asking })
    const isAsking = [node.text, ...node.text.split('-')].map((part) => asking.has(part))
    const key = [match, 'wanted' in node, ...isAsking, node.text].join(' ')
    if (stats.leaves.has(key)) return stats.leaves.get(key)
    let isExpanded = false
    const noticed: Expand = (...prefix) => ((isExpanded = true), expand(...prefix))
    const leaf = exprOfLeaf(node, { match, stats, expand: noticed, asking })
    // What a prefix stands for depends on the query's other prefixes.
    if (!isExpanded) stats.leaves.set(key, leaf)
    return leaf
  }

  function planJoined(joined: JoinedWord, isAsking: boolean): Leaf | undefined {
    const key = `joined ${isAsking} ${joined.head} ${joined.tail}`
    if (stats.leaves?.has(key)) return stats.leaves.get(key)
    const leaf = exprOfJoined(joined, { stats, isAsking })
    stats.leaves?.set(key, leaf)
    return leaf
  }

  return (node: QueryNode, around: JoinedWords): Leaf | undefined => {
    const joined = (node.kind === 'word' && around.get(node.text)) || []
    const key = JSON.stringify({ ...node, start: 0, end: 0, ...(joined.length > 0 && { joined }) })
    if (!planned.has(key)) {
      const alone = planAlone(node)
      const isAsking = node.kind === 'word' && asking.has(node.text)
      const others = joined.flatMap((each) => planJoined(each, isAsking) ?? [])
      planned.set(key, alone && withJoined(alone, others))
    }
    return planned.get(key)
  }
}

/** The time and the numbers that all of a query is bound to. */
function boundsOf(
  { root, since, until, arrivedSince, filters }: SearchQuery,
  now: number,
): Pick<Plan, 'sinceS' | 'untilS' | 'ranges'> {
  let sinceMs = Math.max(since, now - WINDOW_MS)
  let untilMs = until
  let minViews = filters.minViews ?? 0
  let maxViews = Infinity
  for (const node of partsOf(root)) {
    if (node.kind === 'after') sinceMs = Math.max(sinceMs, node.at)
    else if (node.kind === 'before') untilMs = Math.min(untilMs, node.at)
    else if (node.kind === 'min_views') minViews = Math.max(minViews, node.value)
    else if (node.kind === 'not' && node.node.kind === 'min_views') {
      maxViews = Math.min(maxViews, node.node.value)
    }
  }
  // Indices hold whole seconds, rounded down: so is the bound, or it would miss a post of its own second.
  const arrivedS = Math.floor((arrivedSince ?? 0) / 1000)
  return {
    sinceS: Math.ceil(sinceMs / 1000),
    untilS: Math.ceil(untilMs / 1000),
    ranges: excluding([
      { name: 'views', from: minViews, to: maxViews },
      { name: 'reactions', from: filters.minReactions ?? 0, to: Infinity },
      { name: 'subscribers', from: filters.minSubscribers ?? 0, to: Infinity },
      { name: 'arrived', from: arrivedS, to: Infinity },
    ]),
  }
}

const CAPITAL = /^\p{Lu}/u
/** Of fewer words a capital tells nothing. */
const MIN_SENTENCE = 4

/** Who writes a sentence in small letters marks its names by capitals; of a title in capitals they tell nothing. */
function tellsNames(parts: readonly QueryNode[]): boolean {
  const words = parts.flatMap((node) => (node.kind === 'word' ? [node.text] : []))
  const capitals = words.filter((word) => CAPITAL.test(word))
  return words.length >= MIN_SENTENCE && 2 * capitals.length <= words.length + 1
}

function conjunction(parts: readonly Expr[]): Expr | null {
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null)
}
