import type { Correction, SearchQuery, SearchResult } from '../../model/query.ts'
import { correct } from '../correct.ts'
import type { SearchLimits } from '../limits.ts'
import { planSearch, type Plan } from '../plan.ts'
import { secondsOf } from '../prior.ts'
import { WINDOW_MS } from '../search-index.ts'
import { clusterOf } from './collapse.ts'
import { createFacets } from './facets.ts'
import {
  createBudget,
  openScan,
  type SearchBudget,
  type Match,
  type Scan,
  type Seen,
} from './matches.ts'
import type { RawPage } from './raw-page.ts'
import { searchByRelevance } from './relevance.ts'
import type { Snapshot } from './snapshot.ts'
import { searchByTime } from './time-order.ts'
import { createViewsOrder } from './views-order.ts'

/** Answers a query from one state of the index. */
export function searchSnapshot(
  snapshot: Snapshot,
  query: SearchQuery,
  now: number,
  limits: SearchLimits,
): SearchResult {
  const plan = planSearch(query, now, snapshot, limits)
  const budget = createBudget(limits)
  if (!plan.complete) budget.reason = 'prefix'
  const { page, total, facets } =
    query.sort === 'views'
      ? byViews(snapshot, query, plan, budget)
      : bySort(snapshot, query, plan, budget, now)
  const windowS = secondsOf(now - WINDOW_MS)
  return {
    hits: page.hits.map(({ group, ...hit }) => ({
      ...hit,
      cluster: query.collapse ? clusterOf(snapshot, group, windowS) : null,
    })),
    total: { value: total.value, relation: total.isExact ? 'eq' : 'gte' },
    facets,
    next: page.next,
    relaxed: page.relaxed,
    complete: budget.reason === null,
    reason: budget.reason,
    corrections: total.value === 0 ? correctionsOf(snapshot, query, plan, budget) : [],
  }
}

/** With what the search has left to spend; should that not suffice, nothing is suggested, and the answer is whole all the same. */
function correctionsOf(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  { postings }: SearchBudget,
): Correction[] {
  const left: SearchBudget = { postings, reason: null }
  return correct(query, plan, {
    df: snapshot.dfOfRare,
    hasMatch: (expr) => scanOf(snapshot, { ...plan, expr }, 'newest', left).next(),
  })
}

interface Answer {
  readonly page: RawPage
  readonly total: { readonly value: number; readonly isExact: boolean }
  readonly facets: SearchResult['facets']
}

function bySort(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  budget: SearchBudget,
  now: number,
): Answer {
  const page =
    query.sort === 'relevance'
      ? searchByRelevance(snapshot, query, plan, budget, secondsOf(now))
      : searchByTime(snapshot, query, plan, budget)
  if (query.facets.length > 0) {
    const facets = createFacets(snapshot, query.facets, { limits: plan.limits, budget })
    const total = visitAll(snapshot, plan, budget, (match) => facets.add(match))
    return { page, total, facets: facets.finish() }
  }
  const order = query.sort === 'oldest' ? 'oldest' : 'newest'
  const { value, isExact } = countAll(snapshot, plan, { seen: page.seen, order, budget })
  const matched = page.hits.filter((hit) => hit.matched === 'all')
  const shown = Math.min(matched.length, plan.limits.total)
  return { page, total: { value: Math.max(value, shown), isExact }, facets: {} }
}

function byViews(snapshot: Snapshot, query: SearchQuery, plan: Plan, budget: SearchBudget): Answer {
  const order = createViewsOrder(snapshot, query, plan, budget)
  const facets = createFacets(snapshot, query.facets, { limits: plan.limits, budget })
  const total = visitAll(snapshot, plan, budget, (match) => {
    if (query.facets.length > 0) facets.add(match)
    order.add(match)
  })
  return { page: order.finish(), total, facets: facets.finish() }
}

/** Every match in turn, newest first, up to the bound on visits. */
function visitAll(
  snapshot: Snapshot,
  plan: Plan,
  budget: SearchBudget,
  visit: (match: Match) => void,
): { value: number; isExact: boolean } {
  const scan = scanOf(snapshot, plan, 'newest', budget)
  let value = 0
  while (scan.next()) {
    if (value >= plan.limits.visits) {
      budget.reason ??= 'visits'
      return { value, isExact: false }
    }
    value++
    visit(scan.match)
  }
  return { value, isExact: budget.postings >= 0 }
}

function countAll(
  snapshot: Snapshot,
  plan: Plan,
  options: {
    readonly seen: Seen | undefined
    readonly order: 'newest' | 'oldest'
    readonly budget: SearchBudget
  },
): { value: number; isExact: boolean } {
  const { seen, order, budget } = options
  const limit = plan.limits.total + 1
  const scan = seen ? seen.scan : scanOf(snapshot, plan, order, budget)
  const before = seen?.count ?? 0
  const count = before + (scan?.countRest(limit - before) ?? 0)
  return {
    value: Math.min(count, plan.limits.total),
    isExact: budget.postings >= 0 && count < limit,
  }
}

function scanOf(
  snapshot: Snapshot,
  plan: Plan,
  order: 'newest' | 'oldest',
  budget: SearchBudget,
): Scan {
  const { expr, sinceS, untilS } = plan
  return openScan(snapshot, plan, { expr, sinceS, untilS, order, budget })
}
