import { lowerBound } from '../../model/lower-bound.ts'
import { bucketOf } from '../bucket.ts'
import type { Expr } from '../expr.ts'
import { compareNewest } from '../prior.ts'
import { besides, type RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { createColumnFilter, type ColumnFilter } from './column-filters.ts'
import { foundOf, type FoundPost } from './candidates.ts'
import type { Search } from './collector.ts'
import { isDeleted } from './deleted-docs.ts'
import { bucketsIn, REFUSED_COST } from './matches.ts'
import { openCursor, type Segment } from './postings/postings.ts'
import { rowidOf, rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Posts that hold some of the words: from the newest posts of the rarest words, those with the highest sum of rarities. */
export function relaxedCandidates(
  search: Search,
  options: {
    readonly words: readonly RelaxedWord[]
    readonly size: number
    readonly maxSeq: number
  },
): FoundPost[] {
  const { snapshot } = search
  const { words, size, maxSeq } = options
  const foundAt = (rowid: number) => {
    const sec = secOf(rowid)
    return foundOf({ sec, slot: slotOf(rowid), columns: snapshot.columns(bucketOf(sec)).columns })
  }
  const byTime = (a: number, b: number) =>
    secOf(a) === secOf(b) ? compareNewest(foundAt(a), foundAt(b)) : a - b
  using tally = createTally(snapshot)
  for (const word of words) tally.add(newestMatches(search, word, maxSeq), word.idf)
  const { least, above } = tally.threshold(size)
  const sure: { sum: number; rowid: number }[] = []
  const newest = createTop<number>(size - above, byTime)
  tally.visit(({ rowids }, docs, sums) => {
    // Most posts hold one word and are older than enough others that do: once one was refused, later doc ids with the
    // same sum can be skipped.
    let refused = Infinity
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      const sum = sums[doc]!
      if (sum < least || (sum === least && doc >= refused)) continue
      const rowid = rowids[doc]!
      if (sum > least) sure.push({ sum, rowid })
      else if (newest.isFull && secOf(rowid) < secOf(newest.worst!)) refused = doc
      else newest.offer(rowid)
    }
  })
  sure.sort((a, b) => b.sum - a.sum || byTime(a.rowid, b.rowid))
  return [...sure.map(({ rowid }) => rowid), ...newest.sorted()].map(foundAt)
}

/**
 * Sums up the rarity of the words that each post was found by: one number per post, in the sixty-fourths to which
 * rarities are rounded. This costs a tenth of merging the lists.
 */
function createTally(snapshot: Snapshot) {
  const touched = new Map<Segment, number[]>()
  let highest = 1
  return {
    add(found: readonly SegmentMatches[], idf: number): void {
      const more = idf * 64
      highest += more
      for (const { segment, docs } of found) {
        const sums = snapshot.scratch(segment)
        let met = touched.get(segment)
        if (!met) touched.set(segment, (met = []))
        for (let i = 0; i < docs.length; i++) {
          const doc = docs[i]!
          // A post that was found has a sum of at least one, whatever the rarity.
          if (sums[doc] === 0) met.push(doc)
          sums[doc] = (sums[doc] || 1) + more
        }
      }
    },
    visit(visit: (segment: Segment, docs: readonly number[], sums: Uint16Array) => void): void {
      for (const [segment, docs] of touched) visit(segment, docs, snapshot.scratch(segment))
    },
    /** The `above` posts with a sum greater than `least` fit into `size`; those whose sum is `least` do not all fit. */
    threshold(size: number): { readonly least: number; readonly above: number } {
      const posts = new Uint32Array(highest + 1)
      for (const [segment, docs] of touched) {
        const sums = snapshot.scratch(segment)
        for (let i = 0; i < docs.length; i++) posts[sums[docs[i]!]!]!++
      }
      let [least, above] = [highest, 0]
      for (; least > 0 && above + posts[least]! <= size; least--) above += posts[least]!
      return { least, above }
    },
    /** Resets the numbers to zero, even after an error. */
    [Symbol.dispose](): void {
      for (const [segment, docs] of touched) {
        const sums = snapshot.scratch(segment)
        for (const doc of docs) sums[doc] = 0
      }
    },
  }
}

/** Matches in one segment, newest first. */
interface SegmentMatches {
  readonly segment: Segment
  readonly docs: number[]
}

/** The newest `share` matches of a word. The last second is taken completely, so that the order of slots does not matter. */
function newestMatches(
  search: Search,
  { expr, share }: RelaxedWord,
  maxSeq: number,
): SegmentMatches[] {
  const { snapshot, plan, budget } = search
  const { sinceS, untilS } = plan
  const whole = besides(expr, plan)
  const isAccepted = createColumnFilter(snapshot, plan, maxSeq)
  const { from, to } = rowidRange(sinceS, untilS)
  const found: SegmentMatches[] = []
  let left = share
  for (const bucket of bucketsIn(snapshot, sinceS, untilS)) {
    const inBucket: SegmentMatches[] = []
    let end = to
    for (const segment of snapshot.segments(bucket)) {
      const range = { bucket, segment, from, to: end, most: left }
      const docs = matchesIn(search, whole, isAccepted, range)
      if (docs.length > 0) inBucket.push({ segment, docs })
      // In the other segments only newer posts are wanted.
      if (docs.length >= left) end = Math.min(end, behind(segment.rowids[docs[left - 1]!]!))
    }
    cut(inBucket, left)
    found.push(...inBucket)
    for (const { docs } of inBucket) left -= docs.length
    if (budget.postings < 0) budget.reason ??= 'postings'
    if (left <= 0 || budget.postings < 0) break
  }
  return found
}

/** Doc ids of the newest `most` matches between `from` and `to`, and of those in the same second as the last one. */
function matchesIn(
  { snapshot, budget }: Search,
  expr: Expr,
  isAccepted: ColumnFilter | null,
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
  const deleted = snapshot.deletedDocs(bucket, segment)
  const match = { columns: snapshot.columns(bucket).columns, slot: 0 }
  const cursor = openCursor({ segment, budget }, expr)
  const docs: number[] = []
  let high = lowerBound(rowids, range.to)
  let at = cursor.seek(lowerBound(rowids, range.from))
  for (; at < high && budget.postings >= 0; at = cursor.seek(at + 1)) {
    if (isAccepted) match.slot = slotOf(rowids[at]!)
    if (isDeleted(deleted, at) || (isAccepted && !isAccepted(match))) {
      budget.postings -= REFUSED_COST
      continue
    }
    docs.push(at)
    if (docs.length === most) high = Math.min(high, lowerBound(rowids, behind(rowids[at]!)))
  }
  return docs
}

/** Keeps the newest `count` of all matches, and those in the same second as the last one. */
function cut(inBucket: readonly SegmentMatches[], count: number): void {
  if (inBucket.length < 2 || inBucket.reduce((sum, { docs }) => sum + docs.length, 0) <= count)
    return
  const all = inBucket.flatMap(({ segment, docs }) => docs.map((doc) => segment.rowids[doc]!))
  const last = Float64Array.from(all).sort()[count - 1]!
  for (const { segment, docs } of inBucket) {
    docs.length = lowerBound(docs, lowerBound(segment.rowids, behind(last)))
  }
}

/** The first rowid of the previous second. */
function behind(rowid: number): number {
  return rowidOf(secOf(rowid) - 1, 0)
}
