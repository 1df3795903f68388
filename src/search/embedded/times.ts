import type { Expr } from '../expr.ts'
import type { Plan } from '../plan.ts'
import { STEM_PREFIX } from '../terms.ts'
import { bucketOf } from '../bucket.ts'
import type { Found } from './candidates.ts'
import { MANY_TIMES } from './postings/details.ts'
import { openCursor, openTerm, type Ground } from './postings/open-cursor.ts'
import type { Segment } from './postings/segment.ts'
import { placeOf, rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * How often each post holds each unit of the plan, at most: Infinity where the lists do not tell. A look at the lists
 * costs a tenth of reading a post.
 */
export function timesOf(snapshot: Snapshot, plan: Plan, found: readonly Found[]): Float64Array[] {
  const times = found.map(() => new Float64Array(plan.units.length).fill(Infinity))
  const budget = { postings: plan.limits.relaxedDecoding }
  const groups = bySegment(snapshot, found)
  // Should the budget not suffice for all, the rarest say most.
  for (const { unit, expr } of plan.relaxable.toSorted((a, b) => a.df - b.df)) {
    // It would cost a look at positions, and weighs nothing.
    if (plan.units[unit]!.idf === 0) continue
    for (const { bucket, segment, posts } of groups) {
      const timesAt = createTimesAt({ segment, testOf: snapshot.tests(bucket), budget }, expr)
      for (const { index, ord } of posts) {
        const each = timesAt(ord)
        // A list that was not read to its end says nothing.
        if (budget.postings < 0) return times
        times[index]![unit] = each
      }
    }
  }
  return times
}

interface InSegment {
  readonly bucket: number
  readonly segment: Segment
  /** In the order of their ordinals. */
  readonly posts: readonly { readonly index: number; readonly ord: number }[]
}

function bySegment(snapshot: Snapshot, found: readonly Found[]): InSegment[] {
  const buckets = Map.groupBy(found.keys(), (index) => bucketOf(found[index]!.sec))
  return [...buckets].flatMap(([bucket, indexes]) =>
    snapshot.segments(bucket).flatMap((segment) => {
      const posts = indexes.flatMap((index) => {
        const rowid = rowidOf(found[index]!.sec, found[index]!.slot)
        const ord = placeOf(segment.rowids, rowid)
        return segment.rowids[ord] === rowid ? [{ index, ord }] : []
      })
      posts.sort((a, b) => a.ord - b.ord)
      return posts.length > 0 ? [{ bucket, segment, posts }] : []
    }),
  )
}

/** What looking for a term costs, in postings decoded. */
const LOOK = 32

/** Posts are asked for in order. */
function createTimesAt(ground: Ground, expr: Expr): (ord: number) => number {
  if (expr.kind === 'any' && expr.terms.every((term) => term.startsWith(STEM_PREFIX))) {
    const { segment, budget } = ground
    const cursors = expr.terms.flatMap((term) => {
      budget.postings -= LOOK
      if (budget.postings < 0) return []
      const entry = segment.find(term)
      return entry ? [openTerm(segment, entry, budget)] : []
    })
    // Every occurrence of a word has one stem.
    return (ord) => {
      let sum = 0
      for (const cursor of cursors) if (cursor.seek(ord) === ord) sum += timesTold(cursor.times())
      return sum
    }
  }
  const cursor = openCursor(ground, expr)
  return (ord) => (cursor.seek(ord) === ord ? Infinity : 0)
}

function timesTold(times: number): number {
  return times < MANY_TIMES ? times : Infinity
}
