import type { ColumnBounds, Plan } from '../plan.ts'
import type { Columns } from './columns.ts'
import type { Snapshot } from './snapshot.ts'

export type Acceptance = (match: { readonly columns: Columns; readonly slot: number }) => boolean

/** Whether a post is within the bounds on columns; null where there are none. */
export function acceptance(snapshot: Snapshot, plan: Plan, maxSeq = Infinity): Acceptance | null {
  const { bounds, isBounded } = plan
  if (!isBounded && maxSeq === Infinity) return null
  return ({ columns, slot }) =>
    columns.seq[slot]! <= maxSeq && (!isBounded || isWithin(snapshot, bounds, columns, slot))
}

function isWithin(
  snapshot: Snapshot,
  bounds: ColumnBounds,
  columns: Columns,
  slot: number,
): boolean {
  return (
    columns.views[slot]! >= bounds.minViews &&
    columns.views[slot]! < bounds.maxViews &&
    columns.reactions[slot]! >= bounds.minReactions &&
    columns.arrived[slot]! >= bounds.arrivedSince &&
    (bounds.minSubscribers === 0 ||
      snapshot.subscribers(columns.channel[slot]!) >= bounds.minSubscribers)
  )
}
