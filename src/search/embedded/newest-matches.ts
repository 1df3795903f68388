import type { Plan } from '../plan.ts'
import { acceptance } from './acceptance.ts'
import { bucketsIn, placeOf, REFUSED, type ScanOptions } from './matches.ts'
import { openCursor } from './postings/open-cursor.ts'
import { rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Rowids of matches of one bucket, newest first. */
export interface BucketMatches {
  readonly bucket: number
  readonly rowids: number[]
}

/**
 * The newest `count` matches, and whether these are all. The last second is taken whole, so that the cut does not depend
 * on the order of slots.
 */
export function newestMatches(
  snapshot: Snapshot,
  plan: Plan,
  options: Omit<ScanOptions, 'order' | 'sinceS' | 'untilS'>,
  count: number,
): { readonly found: BucketMatches[]; readonly isWhole: boolean } {
  const { sinceS, untilS } = plan
  const { expr, allowance } = options
  const isOpen = acceptance(snapshot, plan, options.maxSeq)
  const { from, to } = rowidRange(sinceS, untilS)
  const found: BucketMatches[] = []
  let left = count
  for (const bucket of bucketsIn(snapshot, sinceS, untilS)) {
    const { columns } = snapshot.columns(bucket)
    const match = { columns, slot: 0 }
    const segments = snapshot.segments(bucket)
    const testOf = snapshot.tests(bucket)
    let rowids: number[] = []
    for (const segment of segments) {
      const high = placeOf(segment.rowids, to)
      const cursor = openCursor({ segment, work: allowance, testOf }, expr)
      let inSegment = 0
      let at = cursor.seek(placeOf(segment.rowids, from))
      for (let last = 0; at < high && allowance.postings >= 0; at = cursor.seek(at + 1)) {
        const rowid = segment.rowids[at]!
        match.slot = slotOf(rowid)
        if (!isOpen(match)) {
          allowance.postings -= REFUSED
          continue
        }
        if (inSegment >= left && secOf(rowid) !== secOf(last)) break
        rowids.push(rowid)
        last = rowid
        inSegment++
      }
    }
    if (segments.length > 1)
      rowids = cut(
        rowids.sort((a, b) => a - b),
        left,
      )
    found.push({ bucket, rowids })
    left -= rowids.length
    if (allowance.postings < 0) allowance.reason ??= 'postings'
    if (left <= 0 || allowance.postings < 0) return { found, isWhole: false }
  }
  return { found, isWhole: true }
}

function cut(rowids: number[], count: number): number[] {
  const last = rowids[count - 1]
  if (last === undefined) return rowids
  const end = rowids.findIndex((rowid, i) => i >= count && secOf(rowid) !== secOf(last))
  return end < 0 ? rowids : rowids.slice(0, end)
}
