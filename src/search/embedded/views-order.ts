import type { SearchQuery } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import { compareNewest } from '../prior.ts'
import { readViewsPosition, writeViewsPosition, type ViewsPlace } from '../position.ts'
import { createTop } from '../top.ts'
import { createCollapse } from './collapse.ts'
import type { SearchBudget, Match } from './matches.ts'
import { orderedPage, type RawPage } from './raw-page.ts'
import type { Snapshot } from './snapshot.ts'

interface Viewed extends ViewsPlace {
  readonly group: number
}

function compareViews(a: ViewsPlace, b: ViewsPlace): number {
  return b.views - a.views || compareNewest(a, b)
}

/** Most viewed first: keeps the best of every match it is given. */
export function createViewsOrder(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  budget: SearchBudget,
) {
  const last = readViewsPosition(query.after)
  const top = createTop<Viewed>(query.limit + 1, compareViews)
  const collapse = query.collapse
    ? createCollapse(snapshot, plan, { expr: plan.expr, budget })
    : undefined
  return {
    add(match: Match): void {
      const { sec, slot, columns } = match
      const views = columns.views[slot]!
      if (top.isFull && views < top.worst!.views) return
      const each = {
        views,
        sec,
        channelId: columns.channel[slot]!,
        number: columns.number[slot]!,
        group: columns.group[slot]!,
      }
      if (last && compareViews(each, last) <= 0) return
      if (!collapse || collapse.isShown(match)) top.offer(each)
    },
    finish: (): RawPage => orderedPage(top.sorted(), query.limit, writeViewsPosition),
  }
}
