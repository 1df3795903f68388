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
  /** Null matches every post. */
  readonly expr: Expr | null
  /** `expr` without the words that may be relaxed. */
  readonly required: Expr | null
  /** The units that the ranker looks for. */
  readonly units: readonly RankUnit[]
  /** For each word of the query that is not negated, as typed: its part of `expr`. */
  readonly asked: ReadonlyMap<string, Expr>
  /** Words that a post may lack: the index in `units`, and the expression. Empty if nothing may be relaxed. */
  readonly relaxable: readonly { readonly unit: number; readonly expr: Expr; readonly df: number }[]
  /** The whole query, if the ranker cannot tell posts that satisfy it from those that hold some of it; else null. */
  readonly strict: Expr | null
  /** In seconds; `sinceS` is inclusive, `untilS` exclusive. */
  readonly sinceS: number
  readonly untilS: number
  /** Only ranges that exclude something. */
  readonly ranges: readonly NumberRange[]
  /** False if a prefix stands for more words than the limits allow. */
  readonly complete: boolean
  readonly limits: SearchLimits
}

/** How many units each leaf may have at most so that every leaf gets some. */
function shareOf(sizes: readonly number[]): number {
  let share = MAX_UNITS
  while (share > 1 && sizes.reduce((sum, size) => sum + Math.min(size, share), 0) > MAX_UNITS)
    share--
  return share
}

/** Words planned before, valid until a frequency changes: most words of a query occur in other queries too. */
export type LeafCache = Map<string, Leaf | undefined>

type Stats = TermStats & { readonly leaves?: LeafCache }

/** Longer words may have many parts, and are seldom asked for twice. */
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

/** Plans the leaves of one query; each word is combined with the compounds it forms with its neighbours. */
function createLeafPlanner({ root, match }: SearchQuery, stats: Stats, limits: SearchLimits) {
  const expand = createExpand(stats, limits)
  // Function words may be parts of compounds in French and Romanian: est-ce, s-ar.
  const functionWords = weakWords(
    partsOf(root).flatMap((node) =>
      node.kind === 'word' ? [node.text, ...node.text.split('-')] : [],
    ),
  )
  // A leaf that is repeated is one condition and one unit.
  const planned = new Map<string, Leaf | undefined>()

  function planAlone(node: QueryNode): Leaf | undefined {
    const isCached = stats.leaves && node.kind === 'word' && node.text.length <= MAX_CACHED_WORD
    if (!isCached) return exprOfLeaf(node, { match, stats, expand, functionWords })
    const isFunctionWord = [node.text, ...node.text.split('-')].map((part) =>
      functionWords.has(part),
    )
    const key = [match, 'wanted' in node, ...isFunctionWord, node.text].join(' ')
    if (stats.leaves.has(key)) return stats.leaves.get(key)
    let isExpanded = false
    const noticed: Expand = (...prefix) => ((isExpanded = true), expand(...prefix))
    const leaf = exprOfLeaf(node, { match, stats, expand: noticed, functionWords })
    // What a prefix stands for depends on the query's other prefixes, so it is not cached.
    if (!isExpanded) stats.leaves.set(key, leaf)
    return leaf
  }

  function planJoined(joined: JoinedWord, isFunctionWord: boolean): Leaf | undefined {
    const key = `joined ${isFunctionWord} ${joined.head} ${joined.tail}`
    if (stats.leaves?.has(key)) return stats.leaves.get(key)
    const leaf = exprOfJoined(joined, { stats, isFunctionWord })
    stats.leaves?.set(key, leaf)
    return leaf
  }

  return (node: QueryNode, around: JoinedWords): Leaf | undefined => {
    const joined = (node.kind === 'word' && around.get(node.text)) || []
    const key = JSON.stringify({ ...node, start: 0, end: 0, ...(joined.length > 0 && { joined }) })
    if (!planned.has(key)) {
      const alone = planAlone(node)
      const isFunctionWord = node.kind === 'word' && functionWords.has(node.text)
      const others = joined.flatMap((each) => planJoined(each, isFunctionWord) ?? [])
      planned.set(key, alone && withJoined(alone, others))
    }
    return planned.get(key)
  }
}

/** The bounds of time and numbers on the whole query. */
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
  // Indexes hold whole seconds, rounded down. The bound is rounded down too, or it would miss posts of its own second.
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
/** In a query of fewer words, capitals say nothing about names. */
const MIN_SENTENCE = 4

/** In a sentence of mostly small letters, capitals mark names; in a title written in capitals they do not. */
function tellsNames(parts: readonly QueryNode[]): boolean {
  const words = parts.flatMap((node) => (node.kind === 'word' ? [node.text] : []))
  const capitals = words.filter((word) => CAPITAL.test(word))
  return words.length >= MIN_SENTENCE && 2 * capitals.length <= words.length + 1
}

function conjunction(parts: readonly Expr[]): Expr | null {
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null)
}
