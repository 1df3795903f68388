/** What can be decided from a post's columns, without its posting lists. */
import { isWithin } from '../number-ranges.ts'
import type { Plan } from '../plan.ts'
import type { Columns } from './columns.ts'
import type { Snapshot } from './snapshot.ts'

export type ColumnFilter = (match: { readonly columns: Columns; readonly slot: number }) => boolean

/** Whether a post is within the bounds on columns; null if there are none. */
export function createColumnFilter(
  snapshot: Snapshot,
  { ranges }: Plan,
  maxSeq = Infinity,
): ColumnFilter | null {
  if (ranges.length === 0 && maxSeq === Infinity) return null
  return ({ columns, slot }) =>
    columns.seq[slot]! <= maxSeq &&
    isWithin(ranges, (name) =>
      name === 'subscribers' ? snapshot.subscribers(columns.channel[slot]!) : columns[name][slot]!,
    )
}
