import type { SearchQuery } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import { compareNewest, type PlaceInTime } from '../prior.ts'
import { readTimePosition, writeTimePosition } from '../position.ts'
import { createCollapse } from './collapse.ts'
import { foundOf, type Found } from './candidates.ts'
import { scanMatches, type Allowance, type Seen } from './matches.ts'
import { rowidOf } from './rowid.ts'
import type { RawPage } from './search.ts'
import type { Snapshot } from './snapshot.ts'

/** Newest or oldest first. The page ends with a second that is read whole, since slots do not order posts within it. */
export function searchByTime(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  allowance: Allowance,
): RawPage {
  const order = query.sort === 'oldest' ? 'oldest' : 'newest'
  const compare = (a: PlaceInTime, b: PlaceInTime) =>
    order === 'newest' ? compareNewest(a, b) : compareNewest(b, a)
  const last = readTimePosition(query.after)
  const collapse = query.collapse ? createCollapse(snapshot, plan, plan.expr) : undefined
  const found: Found[] = []
  const seen: Seen = { count: 0, end: null }
  scanMatches(snapshot, plan, {
    expr: plan.expr,
    sinceS: last && order === 'oldest' ? Math.max(plan.sinceS, last.sec) : plan.sinceS,
    untilS: last && order === 'newest' ? Math.min(plan.untilS, last.sec + 1) : plan.untilS,
    order,
    allowance,
    page: query.limit + 8,
    visit(match) {
      seen.count++
      if (found.length > query.limit && match.sec !== found.at(-1)!.sec) {
        seen.end = rowidOf(match.sec, match.slot)
        return true
      }
      if (collapse && !collapse.isShown(match)) return false
      const each = foundOf(match)
      if (!last || compare(each, last) > 0) found.push(each)
      return false
    },
  })
  found.sort(compare)
  const shown = found.slice(0, query.limit)
  const end = shown.at(-1)
  return {
    hits: shown.map((each) => ({
      channelId: each.channelId,
      number: each.number,
      score: 0,
      matched: 'all',
      missing: [],
      group: each.group,
    })),
    next: end && found.length > query.limit ? writeTimePosition(end) : null,
    relaxed: false,
    ...(last === null ? { seen } : {}),
  }
}
