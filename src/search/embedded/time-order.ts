import type { SearchQuery } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import { compareNewest, type PlaceInTime } from '../prior.ts'
import { readTimePosition, writeTimePosition } from '../position.ts'
import { createCollapse } from './collapse.ts'
import { foundOf, type Found } from './candidates.ts'
import { openScan, type SearchBudget } from './matches.ts'
import { orderedPage, type RawPage } from './raw-page.ts'
import type { Snapshot } from './snapshot.ts'

/** Newest or oldest first. The page ends with a second that is read whole, since slots do not order posts within it. */
export function searchByTime(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  budget: SearchBudget,
): RawPage {
  const order = query.sort === 'oldest' ? 'oldest' : 'newest'
  const compare = (a: PlaceInTime, b: PlaceInTime) =>
    order === 'newest' ? compareNewest(a, b) : compareNewest(b, a)
  const last = readTimePosition(query.after)
  const collapse = query.collapse
    ? createCollapse(snapshot, plan, { expr: plan.expr, budget })
    : undefined
  const found: Found[] = []
  const scan = openScan(snapshot, plan, {
    expr: plan.expr,
    sinceS: last && order === 'oldest' ? Math.max(plan.sinceS, last.sec) : plan.sinceS,
    untilS: last && order === 'newest' ? Math.min(plan.untilS, last.sec + 1) : plan.untilS,
    order,
    budget,
  })
  const { match } = scan
  let count = 0
  let isCut = false
  while (scan.next()) {
    count++
    if (found.length > query.limit && match.sec !== found.at(-1)!.sec) {
      isCut = true
      break
    }
    if (collapse && !collapse.isShown(match)) continue
    const each = foundOf(match)
    if (!last || compare(each, last) > 0) found.push(each)
  }
  found.sort(compare)
  return {
    ...orderedPage(found, query.limit, writeTimePosition),
    ...(last === null ? { seen: { count, scan: isCut ? scan : null } } : {}),
  }
}
