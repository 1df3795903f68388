import type { Expr } from '../expr.ts'
import type { Plan } from '../plan.ts'
import { STEM_PREFIX } from '../terms.ts'
import { bucketOf } from '../bucket.ts'
import type { Found } from './candidates.ts'
import {
  MAX_FREQUENCY,
  openCursor,
  openTerm,
  type CursorSource,
  type Segment,
} from './postings/postings.ts'
import { lowerBound, rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The highest frequency each unit of the plan can have in each post: Infinity where the lists do not tell. A look at the
 * lists costs a tenth of reading a post.
 */
export function frequencyBounds(
  snapshot: Snapshot,
  plan: Plan,
  found: readonly Found[],
): Float64Array[] {
  const bounds = found.map(() => new Float64Array(plan.units.length).fill(Infinity))
  const budget = { postings: plan.limits.relaxedDecoding }
  const groups = bySegment(snapshot, found)
  // The rarest first: they weigh most, should the budget not suffice for all.
  for (const { unit, expr } of plan.relaxable.toSorted((a, b) => a.df - b.df)) {
    // It weighs nothing, and finding out would mean reading positions.
    if (plan.units[unit]!.idf === 0) continue
    for (const { bucket, segment, posts } of groups) {
      const source = { segment, testOf: snapshot.tests(bucket), budget }
      const frequencyAt = createFrequencyAt(source, expr)
      for (const { index, doc } of posts) {
        const bound = frequencyAt(doc)
        // A list that was not read to its end says nothing.
        if (budget.postings < 0) return bounds
        bounds[index]![unit] = bound
      }
    }
  }
  return bounds
}

interface InSegment {
  readonly bucket: number
  readonly segment: Segment
  /** In the order of their doc ids. */
  readonly posts: readonly { readonly index: number; readonly doc: number }[]
}

function bySegment(snapshot: Snapshot, found: readonly Found[]): InSegment[] {
  const buckets = Map.groupBy(found.keys(), (index) => bucketOf(found[index]!.sec))
  return [...buckets].flatMap(([bucket, indexes]) =>
    snapshot.segments(bucket).flatMap((segment) => {
      const posts = indexes.flatMap((index) => {
        const rowid = rowidOf(found[index]!.sec, found[index]!.slot)
        const doc = lowerBound(segment.rowids, rowid)
        return segment.rowids[doc] === rowid ? [{ index, doc }] : []
      })
      posts.sort((a, b) => a.doc - b.doc)
      return posts.length > 0 ? [{ bucket, segment, posts }] : []
    }),
  )
}

/** What looking for a term costs, in postings decoded. */
const LOOK = 32

/** Doc ids must be asked for in ascending order. */
function createFrequencyAt(source: CursorSource, expr: Expr): (doc: number) => number {
  if (expr.kind === 'any' && expr.terms.every((term) => term.startsWith(STEM_PREFIX))) {
    const { segment, budget } = source
    const cursors = expr.terms.flatMap((term) => {
      budget.postings -= LOOK
      if (budget.postings < 0) return []
      const entry = segment.find(term)
      return entry ? [openTerm(segment, entry, budget)] : []
    })
    // Every occurrence of a word has exactly one stem, so the frequencies add up.
    return (doc) => {
      let sum = 0
      for (const cursor of cursors) if (cursor.seek(doc) === doc) sum += boundOf(cursor.frequency())
      return sum
    }
  }
  const cursor = openCursor(source, expr)
  return (doc) => (cursor.seek(doc) === doc ? Infinity : 0)
}

/** The highest frequency that is kept stands for higher ones too. */
function boundOf(frequency: number): number {
  return frequency < MAX_FREQUENCY ? frequency : Infinity
}
