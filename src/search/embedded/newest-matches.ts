import type { Plan } from '../plan.ts'
import { acceptance } from './acceptance.ts'
import { bucketsIn, placeOf, REFUSED, type ScanOptions } from './matches.ts'
import { openCursor } from './postings/open-cursor.ts'
import { rowidOf, rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Rowids of matches of one bucket, newest first. */
export interface BucketMatches {
  readonly bucket: number
  readonly rowids: number[]
}

/** The newest `count` matches. The last second is taken whole, so that the cut does not depend on the order of slots. */
export function newestMatches(
  snapshot: Snapshot,
  plan: Plan,
  options: Omit<ScanOptions, 'order' | 'sinceS' | 'untilS'>,
  count: number,
): BucketMatches[] {
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
    const rowids: number[] = []
    for (const segment of segments) {
      // Once there are enough, only newer ones are wanted.
      const end = rowids.length < left ? to : behind(rowids[left - 1]!)
      const high = placeOf(segment.rowids, Math.min(to, end))
      const cursor = openCursor({ segment, work: allowance, testOf }, expr)
      const before = rowids.length
      let at = cursor.seek(placeOf(segment.rowids, from))
      for (let last = 0; at < high && allowance.postings >= 0; at = cursor.seek(at + 1)) {
        const rowid = segment.rowids[at]!
        match.slot = slotOf(rowid)
        if (!isOpen(match)) {
          allowance.postings -= REFUSED
          continue
        }
        if (rowids.length - before >= left && secOf(rowid) !== secOf(last)) break
        rowids.push(rowid)
        last = rowid
      }
      if (before > 0 && rowids.length > before) rowids.sort((a, b) => a - b)
    }
    if (rowids.length > left) rowids.length = placeOf(rowids, behind(rowids[left - 1]!))
    found.push({ bucket, rowids })
    left -= rowids.length
    if (allowance.postings < 0) allowance.reason ??= 'postings'
    if (left <= 0 || allowance.postings < 0) break
  }
  return found
}

/** The first rowid of an earlier second. */
function behind(rowid: number): number {
  return rowidOf(secOf(rowid) - 1, 0)
}
