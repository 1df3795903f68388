import type { Correction, SearchQuery, SearchResult } from '../../model/query.ts'
import { correct, mayHaveTypos } from '../correct.ts'
import type { SearchLimits } from '../limits.ts'
import { planSearch } from '../plan.ts'
import { secondsOf } from '../prior.ts'
import { WINDOW_MS } from '../search-index.ts'
import { clusterOf } from './collapse.ts'
import { collect, createBudget, type Collector, type Page, type Search } from './collector.ts'
import { createFacets } from './facets.ts'
import { matchesOf, openScan } from './matches.ts'
import { createTimePage, createViewsPage } from './pages.ts'
import { createRelevancePage } from './relevance.ts'
import type { Snapshot } from './snapshot.ts'

/** Answers a query from one snapshot of the index. */
export function searchSnapshot(
  snapshot: Snapshot,
  query: SearchQuery,
  now: number,
  limits: SearchLimits,
): SearchResult {
  const plan = planSearch(query, now, snapshot, limits)
  const budget = createBudget(limits)
  if (!plan.complete) budget.reason = 'prefix'
  const search: Search = { snapshot, query, plan, budget }
  const page = createPage(search, secondsOf(now))
  const facets = query.facets.length > 0 ? createFacets(search) : undefined
  // A page with a pass of its own comes before the count, which may use up the budget.
  const ownPass = page.collector ? undefined : page.finish(0)
  const collectors = [page.collector, facets].filter((each) => each !== null && each !== undefined)
  const { count, most } = countMatches(search, collectors)
  const { hits, next, relaxed } = ownPass ?? page.finish(count)
  const isExact = budget.postings >= 0 && count <= most
  const shown = hits.reduce((sum, { matched }) => sum + (matched === 'all' ? 1 : 0), 0)
  const value = Math.min(Math.max(count, shown), most)
  const windowS = secondsOf(now - WINDOW_MS)
  return {
    hits: hits.map(({ group, ...hit }) => ({
      ...hit,
      cluster: query.collapse ? clusterOf(snapshot, group, windowS) : null,
    })),
    total: { value, relation: isExact ? 'eq' : 'gte' },
    facets: facets?.finish() ?? {},
    next,
    relaxed,
    complete: budget.reason === null,
    reason: budget.reason,
    corrections: mayHaveTypos(query, value) ? correctionsOf(search) : [],
  }
}

function createPage(search: Search, nowS: number): Page {
  switch (search.query.sort) {
    case 'relevance':
      return createRelevancePage(search, nowS)
    case 'views':
      return createViewsPage(search)
    default:
      return createTimePage(search)
  }
}

/** The single pass over all matches. Matches that no collector needs are only counted, up to `most`. */
function countMatches(
  search: Search,
  collectors: readonly Collector[],
): { readonly count: number; readonly most: number } {
  const { plan, query } = search
  const isEveryVisited = query.facets.length > 0 || query.sort === 'views'
  const most = isEveryVisited ? plan.limits.visits : plan.limits.total
  const scan = openScan(search, matchesOf(search))
  const met = collect(scan, collectors)
  return { count: met + scan.countRest(most + 1 - met), most }
}

/** How many words with the same beginning are compared with a slip. */
const MAX_LOOKED_AT = 2_000

/** Uses what is left of the search's budget. If that does not suffice nothing is suggested; the answer stays complete. */
function correctionsOf({ snapshot, query, plan, budget }: Search): Correction[] {
  const search = { snapshot, query, plan, budget: { ...budget } }
  return correct(query, plan, {
    df: snapshot.df,
    dfOfRare: snapshot.dfOfRare,
    nearest: snapshot.nearest,
    expandPrefix: (prefix) => snapshot.expand(prefix, MAX_LOOKED_AT, MAX_LOOKED_AT).toks,
    firstMatched: (exprs) =>
      exprs.findIndex((expr) =>
        openScan(search, { ...matchesOf(search), expr, order: 'newest' }).next(),
      ),
  })
}
