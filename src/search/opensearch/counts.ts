import type { FacetName, FacetValue, SearchQuery, SearchResult } from '../../model/query.ts'
import { finishFacets, LENGTH_S, timeFacet } from '../facet-values.ts'
import type { SearchResponse } from './engine-session.ts'
import { matchingOf, type Search, type Total } from './search.ts'
import { facetOf, SHARD_VALUES, type Query } from './query-dsl.ts'

/** The number of matches, and of matches for each value of the facets asked for. */
export interface Counts {
  readonly total: Total
  readonly facets: SearchResult['facets']
}

/** Counts once: with a page of hits that is requested anyway, or with a search of its own beside it. */
export interface Counting {
  readonly counts: Counts | undefined
  /** The `track_total_hits` of a page: how far it has to count. */
  inPage(): number | false
  /** Searches to send along with a page. */
  beside(): readonly Query[]
  /** Takes the answer to the search that counts. */
  take(found: SearchResponse): Promise<void>
  /** Asks for the counts if nothing has counted yet. */
  finish(): Promise<Counts>
}

/** `isApart` if a page does not cover all matches, or cannot tell everything that is to be counted. */
export function createCounting(search: Search, query: SearchQuery, isApart: boolean): Counting {
  let counts: Counts | undefined
  async function take(found: SearchResponse): Promise<void> {
    counts ??= isApart
      ? await countsOf(search, query, found)
      : { total: totalOf(search, query, found), facets: {} }
  }
  return {
    get counts() {
      return counts
    },
    inPage: () => !counts && !isApart && countedTo(search, query) + 1,
    beside: () => (!counts && isApart ? [countsBody(search, query)] : []),
    take,
    async finish() {
      if (!counts) await take((await search.session.search([countsBody(search, query)]))[0]!)
      return counts!
    },
  }
}

/** How far matches are counted; if each one has to be visited, up to the limit on visits. */
function countedTo({ plan: { limits } }: Search, { facets, sort }: SearchQuery): number {
  return facets.length > 0 || sort === 'views' ? limits.visits : limits.total
}

/** A search that only counts, without a page. */
function countsBody(search: Search, query: SearchQuery, shardValues = SHARD_VALUES): Query {
  const most = countedTo(search, query)
  const body = { size: 0, query: matchingOf(search), track_total_hits: most + 1 }
  if (query.facets.length === 0) return body
  const { facetValues } = search.plan.limits
  const aggs = query.facets.map((name) => [name, facetOf(name, facetValues, shardValues)])
  // Each shard counts its newest posts first, and stops at the limit.
  return {
    ...body,
    track_total_hits: true,
    terminate_after: most + 1,
    aggs: Object.fromEntries(aggs) as Query,
  }
}

function totalOf(search: Search, query: SearchQuery, found: SearchResponse): Total {
  const most = countedTo(search, query)
  const { value, relation } = found.hits.total ?? { value: 0, relation: 'eq' }
  if (value > most && most !== search.plan.limits.total) search.session.reason ??= 'visits'
  const total: Total = value > most ? { value: most, relation: 'gte' } : { value, relation }
  search.counted(total)
  return total
}

interface Buckets {
  readonly doc_count_error_upper_bound?: number
  readonly buckets: readonly { readonly key: string | number; readonly doc_count: number }[]
}

/** `found` is the answer to `countsBody`. If a shard has left out values that may matter, it is asked again for more. */
async function countsOf(
  search: Search,
  query: SearchQuery,
  found: SearchResponse,
): Promise<Counts> {
  let told = found
  if (isDoubtful(told)) {
    told = (await search.session.search([countsBody(search, query, 10 * SHARD_VALUES)]))[0]!
    if (isDoubtful(told)) search.session.reason ??= 'facets'
  }
  const facets = query.facets.map((name) => [name, valuesOf(search, name, told)])
  return { total: totalOf(search, query, told), facets: Object.fromEntries(facets) as Facets }
}

type Facets = SearchResult['facets']

function isDoubtful({ aggregations = {} }: SearchResponse): boolean {
  return Object.values(aggregations).some(
    (each) => ((each as Buckets).doc_count_error_upper_bound ?? 0) > 0,
  )
}

function valuesOf(search: Search, name: FacetName, found: SearchResponse): FacetValue[] {
  const { buckets } = (found.aggregations?.[name] ?? { buckets: [] }) as Buckets
  if (name === 'day' || name === 'hour') {
    const counts = buckets.map(
      (each) => [Number(each.key) / LENGTH_S[name], each.doc_count] as const,
    )
    return timeFacet(name, new Map(counts))
  }
  const values = buckets.map(({ key, doc_count: count }) => ({ value: String(key), count }))
  return finishFacets(values, search.plan.limits.facetValues)
}
