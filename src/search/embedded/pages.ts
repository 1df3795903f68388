/** Pages in the orders without scores: by time and by views. */
import type { SearchQuery, SearchResult } from '../../model/query.ts'
import {
  readTimePosition,
  readViewsPosition,
  writeTimePosition,
  writeViewsPosition,
  type ViewsPlace,
} from '../position.ts'
import { compareNewest, type PlaceInTime } from '../prior.ts'
import { createTop } from '../top.ts'
import { createCollapse } from './collapse.ts'
import {
  collect,
  createVisitor,
  type Collector,
  type Match,
  type Page,
  type RawPage,
  type Search,
} from './collector.ts'
import { matchesOf, openScan, type ScanOptions } from './matches.ts'

type Placed<T> = T & { readonly group: number }

/** Newest or oldest first. The last second of a page is read completely, since slots do not order posts within it. */
export function createTimePage(search: Search): Page {
  const { query } = search
  const isOldest = query.sort === 'oldest'
  const compare = (a: PlaceInTime, b: PlaceInTime) =>
    isOldest ? compareNewest(b, a) : compareNewest(a, b)
  const last = readTimePosition(query.after)
  const isShown = createIsShown(search)
  const found: Placed<PlaceInTime>[] = []
  const collector: Collector = {
    collect(match) {
      if (found.length > query.limit && match.sec !== found.at(-1)!.sec) return false
      if (!isShown(match)) return true
      const each = placeOf(match)
      if (!last || compare(each, last) > 0) found.push(each)
      return true
    },
  }
  return {
    collector: last ? null : collector,
    finish() {
      if (last) collect(openScan(search, matchesFrom(search, last.sec)), [collector])
      return pageOf(found.sort(compare), query, writeTimePosition)
    },
  }
}

function matchesFrom(search: Search, sec: number): ScanOptions {
  const all = matchesOf(search)
  return all.order === 'oldest'
    ? { ...all, sinceS: Math.max(all.sinceS, sec) }
    : { ...all, untilS: Math.min(all.untilS, sec + 1) }
}

function compareViews(a: ViewsPlace, b: ViewsPlace): number {
  return b.views - a.views || compareNewest(a, b)
}

/** Most viewed first: every page visits all matches and keeps its best. */
export function createViewsPage(search: Search): Page {
  const { query } = search
  const last = readViewsPosition(query.after)
  const isShown = createIsShown(search)
  const top = createTop<Placed<ViewsPlace>>(query.limit + 1, compareViews)
  return {
    collector: createVisitor(search, (match) => {
      const views = match.columns.views[match.slot]!
      if (top.isFull && views < top.worst!.views) return
      const each = { views, ...placeOf(match) }
      if (last && compareViews(each, last) <= 0) return
      if (isShown(match)) top.offer(each)
    }),
    finish: () => pageOf(top.sorted(), query, writeViewsPosition),
  }
}

function createIsShown(search: Search): (match: Match) => boolean {
  return search.query.collapse
    ? createCollapse(search, { expr: search.plan.expr }).isShown
    : () => true
}

function placeOf({ sec, slot, columns }: Match): Placed<PlaceInTime> {
  return {
    sec,
    channelId: columns.channel[slot]!,
    number: columns.number[slot]!,
    group: columns.group[slot]!,
  }
}

/** `found` beyond the limit means that another page follows. */
function pageOf<T extends Placed<PlaceInTime>>(
  found: readonly T[],
  { limit }: SearchQuery,
  positionOf: (last: T) => SearchResult['next'],
): RawPage {
  const shown = found.slice(0, limit)
  const end = shown.at(-1)
  return {
    hits: shown.map(({ channelId, number, group }) => ({
      channelId,
      number,
      score: 0,
      matched: 'all',
      missing: [],
      group,
    })),
    next: end && found.length > limit ? positionOf(end) : null,
    relaxed: false,
  }
}
