import type { Cluster, SearchHit, SearchPosition, SearchQuery } from '../../model/query.ts'
import { readTimePosition, readViewsPosition } from '../position.ts'
import type { ResponseHit } from './engine-session.ts'
import {
  copiesIn,
  groupOf,
  MAX_LOOKS,
  withoutCopies,
  type Grouped,
  type KnownGroups,
} from './collapse.ts'
import { createCounting, type Counts } from './counts.ts'
import { matchingOf, type Search } from './search.ts'
import { ORDERS } from './query-dsl.ts'

export interface Page extends Counts {
  readonly hits: readonly SearchHit[]
  readonly next: SearchPosition | null
  readonly relaxed: boolean
}

/** A post with its sort values, of which the last two are its channel and number. */
interface Placed extends Grouped {
  readonly place: readonly number[]
}

/** Sorted by time or by views. */
export async function searchByKey(search: Search, query: SearchQuery): Promise<Page> {
  const { session } = search
  const { limit, collapse } = query
  const sort = query.sort === 'relevance' ? 'newest' : query.sort
  const counting = createCounting(search, query, query.facets.length > 0)
  const wanted = limit + 1
  // Twice as many when copies are removed: most stand close to what they repeat.
  const size = collapse ? 2 * wanted : wanted
  const shown: Placed[] = []
  const learnt: KnownGroups = { clusters: new Map(), firsts: new Map() }
  let after = positionOf(query)

  for (let looks = 1; ; looks++) {
    const body = {
      query: matchingOf(search, { but: copiesIn(learnt) }),
      sort: ORDERS[sort],
      size,
      track_total_hits: counting.inPage(),
      ...(after && { search_after: after }),
      ...(collapse && { docvalue_fields: ['grp'] }),
    }
    const [found, counted] = await session.search([body, ...counting.beside()])
    await counting.take(counted ?? found!)
    const placed = (found!.hits.hits ?? []).map(placedOf)
    const kept = collapse ? await withoutCopies(search, placed, learnt) : placed
    shown.push(...kept)
    const isEnd = placed.length < size
    if (shown.length >= wanted || isEnd) break
    after = placed.at(-1)!.place
    if (looks < MAX_LOOKS) continue
    session.reason ??= 'groups'
    return pageOf(shown, after)
  }
  const hits = shown.slice(0, limit)
  return pageOf(hits, shown.length > limit ? hits.at(-1)!.place : null)

  function pageOf(hits: readonly Placed[], next: readonly number[] | null): Page {
    return {
      ...counting.counts!,
      next,
      relaxed: false,
      hits: hits.map((each) => hitOf(each, learnt.clusters)),
    }
  }
}

function positionOf({ sort, after }: SearchQuery): readonly number[] | null {
  // Parsed only to check that it belongs to this order; its numbers are the sort values.
  const place = sort === 'views' ? readViewsPosition(after) : readTimePosition(after)
  return place && (after as readonly number[])
}

function placedOf(hit: ResponseHit): Placed {
  const place = hit.sort!
  return { place, channelId: place.at(-2)!, number: place.at(-1)!, group: groupOf(hit) }
}

function hitOf(
  { channelId, number, group }: Placed,
  clusters: ReadonlyMap<number, Cluster>,
): SearchHit {
  const cluster = (group === null ? undefined : clusters.get(group)) ?? null
  return { channelId, number, score: 0, matched: 'all', missing: [], cluster }
}
