import type { Plan } from '../plan.ts'
import { acceptance } from './acceptance.ts'
import { isGone } from './gone.ts'
import { bucketsIn, REFUSED, type ScanOptions } from './matches.ts'
import { openCursor } from './postings/open-cursor.ts'
import type { Segment } from './postings/segment.ts'
import { placeOf, rowidOf, rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Matches of one segment, newest first. */
export interface SegmentMatches {
  readonly bucket: number
  readonly segment: Segment
  readonly ords: number[]
}

/** The newest `count` matches. The last second is taken whole, so that the cut does not depend on the order of slots. */
export function newestMatches(
  snapshot: Snapshot,
  plan: Plan,
  options: Omit<ScanOptions, 'order' | 'sinceS' | 'untilS'>,
  count: number,
): SegmentMatches[] {
  const { sinceS, untilS } = plan
  const { budget } = options
  const { from, to } = rowidRange(sinceS, untilS)
  const found: SegmentMatches[] = []
  let left = count
  for (const bucket of bucketsIn(snapshot, sinceS, untilS)) {
    const inBucket: SegmentMatches[] = []
    let end = to
    for (const segment of snapshot.segments(bucket)) {
      const ords = matchesIn(snapshot, plan, options, {
        bucket,
        segment,
        from,
        to: end,
        most: left,
      })
      inBucket.push({ bucket, segment, ords })
      // Of the next only newer ones are wanted.
      if (ords.length >= left) end = Math.min(end, behind(segment.rowids[ords[left - 1]!]!))
    }
    cut(inBucket, left)
    found.push(...inBucket)
    for (const { ords } of inBucket) left -= ords.length
    if (budget.postings < 0) budget.reason ??= 'postings'
    if (left <= 0 || budget.postings < 0) break
  }
  return found
}

/** Ordinals of the newest `most` from `from` to `to`, and of those in the same second as the last. */
function matchesIn(
  snapshot: Snapshot,
  plan: Plan,
  { expr, budget, maxSeq }: Omit<ScanOptions, 'order' | 'sinceS' | 'untilS'>,
  stretch: {
    readonly bucket: number
    readonly segment: Segment
    readonly from: number
    readonly to: number
    readonly most: number
  },
): number[] {
  const { bucket, segment, most } = stretch
  const { rowids } = segment
  const isAccepted = acceptance(snapshot, plan, maxSeq)
  const gone = snapshot.gone(bucket, segment)
  const match = { columns: snapshot.columns(bucket).columns, slot: 0 }
  const cursor = openCursor({ segment, budget, testOf: snapshot.tests(bucket) }, expr)
  const ords: number[] = []
  let high = placeOf(rowids, stretch.to)
  let at = cursor.seek(placeOf(rowids, stretch.from))
  for (; at < high && budget.postings >= 0; at = cursor.seek(at + 1)) {
    if (isAccepted) match.slot = slotOf(rowids[at]!)
    if (isGone(gone, at) || (isAccepted && !isAccepted(match))) {
      budget.postings -= REFUSED
      continue
    }
    ords.push(at)
    if (ords.length === most) high = Math.min(high, placeOf(rowids, behind(rowids[at]!)))
  }
  return ords
}

/** Keeps the newest `count` of all, and those in the same second as the last. */
function cut(inBucket: readonly SegmentMatches[], count: number): void {
  const held = inBucket.filter(({ ords }) => ords.length > 0)
  if (held.length < 2 || held.reduce((sum, { ords }) => sum + ords.length, 0) <= count) return
  const all = held.flatMap(({ segment, ords }) => ords.map((ord) => segment.rowids[ord]!))
  const last = Float64Array.from(all).sort()[count - 1]!
  for (const { segment, ords } of held) {
    ords.length = placeOf(ords, placeOf(segment.rowids, behind(last)))
  }
}

/** The first rowid of an earlier second. */
function behind(rowid: number): number {
  return rowidOf(secOf(rowid) - 1, 0)
}
