import { bucketOf } from '../bucket.ts'
import type { Expr } from '../expr.ts'
import { compareNewest } from '../prior.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { createColumnFilter, type ColumnFilter } from './column-filters.ts'
import { foundOf, type Found } from './candidates.ts'
import type { Search } from './collector.ts'
import { isDeleted } from './deleted-docs.ts'
import { bucketsIn, REFUSED } from './matches.ts'
import { openCursor, type Segment } from './postings/postings.ts'
import { lowerBound, rowidOf, rowidRange, secOf, slotOf } from './rowid.ts'

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
  for (const [{ rowids }, sums] of raritiesOf(search, options.words, options.maxSeq)) {
    for (const [doc, sum] of sums) {
      if (!top.isFull || sum >= top.worst!.sum) top.offer({ sum, rowid: rowids[doc]! })
    }
  }
  return top.sorted().map(({ rowid }) => foundAt(rowid))
}

/** By segment and doc id, the rarity of the words each post was found by; exact, since rarities are sixty-fourths. */
function raritiesOf(
  search: Search,
  words: readonly RelaxedWord[],
  maxSeq: number,
): Map<Segment, Map<number, number>> {
  const bySegment = new Map<Segment, Map<number, number>>()
  for (const word of words) {
    for (const { segment, docs } of newestMatches(search, word, maxSeq)) {
      let sums = bySegment.get(segment)
      if (!sums) bySegment.set(segment, (sums = new Map()))
      for (const doc of docs) sums.set(doc, (sums.get(doc) ?? 0) + word.idf)
    }
  }
  return bySegment
}

/** Matches of one segment, newest first. */
interface SegmentMatches {
  readonly segment: Segment
  readonly docs: number[]
}

/** The newest `share` matches of a word. The last second is taken whole, so that the cut does not depend on the order of slots. */
function newestMatches(
  search: Search,
  { expr, share }: RelaxedWord,
  maxSeq: number,
): SegmentMatches[] {
  const { snapshot, plan, budget } = search
  const { sinceS, untilS } = plan
  const isAccepted = createColumnFilter(snapshot, plan, maxSeq)
  const { from, to } = rowidRange(sinceS, untilS)
  const found: SegmentMatches[] = []
  let left = share
  for (const bucket of bucketsIn(snapshot, sinceS, untilS)) {
    const inBucket: SegmentMatches[] = []
    let end = to
    for (const segment of snapshot.segments(bucket)) {
      const range = { bucket, segment, from, to: end, most: left }
      const docs = matchesIn(search, expr, isAccepted, range)
      inBucket.push({ segment, docs })
      // Of the next only newer ones are wanted.
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

/** Doc ids of the newest `most` from `from` to `to`, and of those in the same second as the last. */
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
      budget.postings -= REFUSED
      continue
    }
    docs.push(at)
    if (docs.length === most) high = Math.min(high, lowerBound(rowids, behind(rowids[at]!)))
  }
  return docs
}

/** Keeps the newest `count` of all, and those in the same second as the last. */
function cut(inBucket: readonly SegmentMatches[], count: number): void {
  const held = inBucket.filter(({ docs }) => docs.length > 0)
  if (held.length < 2 || held.reduce((sum, { docs }) => sum + docs.length, 0) <= count) return
  const all = held.flatMap(({ segment, docs }) => docs.map((doc) => segment.rowids[doc]!))
  const last = Float64Array.from(all).sort()[count - 1]!
  for (const { segment, docs } of held) {
    docs.length = lowerBound(docs, lowerBound(segment.rowids, behind(last)))
  }
}

/** The first rowid of an earlier second. */
function behind(rowid: number): number {
  return rowidOf(secOf(rowid) - 1, 0)
}
