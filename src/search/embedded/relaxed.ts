import { bucketOf } from '../bucket.ts'
import type { Expr } from '../expr.ts'
import { compareNewest } from '../prior.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { acceptance, type Acceptance } from './acceptance.ts'
import { foundOf, type Found } from './candidates.ts'
import type { Search } from './collector.ts'
import { isGone } from './gone.ts'
import { bucketsIn, REFUSED } from './matches.ts'
import { openCursor } from './postings/open-cursor.ts'
import type { Segment } from './postings/segment.ts'
import { placeOf, rowidOf, rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Posts that hold some of the words: the rarest words' newest posts, the best by the rarity they add up to. */
export function relaxedCandidates(
  search: Search,
  options: {
    readonly words: readonly RelaxedWord[]
    readonly size: number
    readonly maxSeq: number
  },
): Found[] {
  const { snapshot } = search
  const foundAt = (rowid: number) => {
    const sec = secOf(rowid)
    return foundOf({ sec, slot: slotOf(rowid), columns: snapshot.columns(bucketOf(sec)).columns })
  }
  const top = createTop<{ sum: number; rowid: number }>(options.size, (a, b) => {
    if (a.sum !== b.sum) return b.sum - a.sum
    const isSameSecond = secOf(a.rowid) === secOf(b.rowid)
    return isSameSecond ? compareNewest(foundAt(a.rowid), foundAt(b.rowid)) : a.rowid - b.rowid
  })
  using tally = createTally(snapshot)
  for (const word of options.words) {
    const found = newestMatches(search, word, options.maxSeq)
    for (const each of found) tally.add(each, word.idf)
  }
  tally.visit(({ rowids }, ords, sums) => {
    // Most posts hold one word and are older than enough others that do. What is behind one of these needs no look at
    // its time.
    let [refusedSum, refusedOrd] = [-1, 0]
    for (const ord of ords) {
      const sum = (sums[ord]! - 1) / 64
      const worst = top.isFull ? top.worst! : undefined
      if (worst && (sum < worst.sum || (sum <= refusedSum && ord >= refusedOrd))) continue
      const rowid = rowids[ord]!
      if (worst && sum === worst.sum && secOf(rowid) < secOf(worst.rowid)) {
        ;[refusedSum, refusedOrd] = [sum, ord]
      } else top.offer({ sum, rowid })
    }
  })
  return top.sorted().map(({ rowid }) => foundAt(rowid))
}

/**
 * The rarity of the words each post was found by: a number a post, in sixty-fourths as rarities come, which is a tenth of
 * what merging the lists would cost.
 */
function createTally(snapshot: Snapshot) {
  const touched = new Map<Segment, number[]>()
  return {
    add({ segment, ords }: SegmentMatches, idf: number): void {
      if (ords.length === 0) return
      const more = idf * 64
      const sums = snapshot.scratch(segment)
      let met = touched.get(segment)
      if (!met) touched.set(segment, (met = []))
      for (const ord of ords) {
        // A post that was met stands at one and more, whatever the rarity.
        if (sums[ord] === 0) met.push(ord)
        sums[ord] = (sums[ord] || 1) + more
      }
    },
    visit(visit: (segment: Segment, ords: readonly number[], sums: Uint16Array) => void): void {
      for (const [segment, ords] of touched) visit(segment, ords, snapshot.scratch(segment))
    },
    /** Leaves the numbers as they were found, whatever happened. */
    [Symbol.dispose](): void {
      for (const [segment, ords] of touched) {
        const sums = snapshot.scratch(segment)
        for (const ord of ords) sums[ord] = 0
      }
    },
  }
}

/** Matches of one segment, newest first. */
interface SegmentMatches {
  readonly bucket: number
  readonly segment: Segment
  readonly ords: number[]
}

/** The newest `share` matches of a word. The last second is taken whole, so that the cut does not depend on the order of slots. */
function newestMatches(
  search: Search,
  { expr, share }: RelaxedWord,
  maxSeq: number,
): SegmentMatches[] {
  const { snapshot, plan, budget } = search
  const { sinceS, untilS } = plan
  const isAccepted = acceptance(snapshot, plan, maxSeq)
  const { from, to } = rowidRange(sinceS, untilS)
  const found: SegmentMatches[] = []
  let left = share
  for (const bucket of bucketsIn(snapshot, sinceS, untilS)) {
    const inBucket: SegmentMatches[] = []
    let end = to
    for (const segment of snapshot.segments(bucket)) {
      const range = { bucket, segment, from, to: end, most: left }
      const ords = matchesIn(search, expr, isAccepted, range)
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
  { snapshot, budget }: Search,
  expr: Expr,
  isAccepted: Acceptance | null,
  range: {
    readonly bucket: number
    readonly segment: Segment
    readonly from: number
    readonly to: number
    readonly most: number
  },
): number[] {
  const { bucket, segment, most } = range
  const { rowids } = segment
  const gone = snapshot.gone(bucket, segment)
  const match = { columns: snapshot.columns(bucket).columns, slot: 0 }
  const cursor = openCursor({ segment, budget, testOf: snapshot.tests(bucket) }, expr)
  const ords: number[] = []
  let high = placeOf(rowids, range.to)
  let at = cursor.seek(placeOf(rowids, range.from))
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
