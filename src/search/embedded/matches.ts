import { lowerBound } from '../../model/lower-bound.ts'
import { BUCKET_S } from '../bucket.ts'
import type { Expr } from '../expr.ts'
import { createColumnFilter } from './column-filters.ts'
import type { Match, Search } from './collector.ts'
import type { Columns } from './columns.ts'
import { isDeleted, type DeletedDocs } from './deleted-docs.ts'
import { openCursor, type Budget, type Cursor, type CursorSource } from './postings/postings.ts'
import { rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Which matches to visit, and in which direction. */
export interface ScanOptions {
  readonly expr: Expr | null
  readonly sinceS: number
  readonly untilS: number
  readonly order: 'newest' | 'oldest'
  /** Posts changed after this sequence number are skipped. */
  readonly maxSeq?: number
}

export function matchesOf({ plan: { expr, sinceS, untilS }, query }: Search): ScanOptions {
  return { expr, sinceS, untilS, order: query.sort === 'oldest' ? 'oldest' : 'newest' }
}

/** Visits the matches in time order; those of the same second come in no meaningful order. */
interface Scan {
  readonly match: Match
  /** Moves to the next match; false if there is none, or none within the budget. */
  next(): boolean
  /** Counts the remaining matches, up to `limit`. */
  countRest(limit: number): number
}

/** What a deleted post, or one that the column filter refuses, is charged in postings. */
export const REFUSED_COST = 1

export function openScan({ snapshot, plan, budget }: Search, options: ScanOptions): Scan {
  const { sinceS, untilS, order } = options
  const isOldest = order === 'oldest'
  const buckets = bucketsIn(snapshot, sinceS, untilS)
  if (isOldest) buckets.reverse()
  const isAccepted = createColumnFilter(snapshot, plan, options.maxSeq)
  // All fields are set from the start: adding one later would make reads slower.
  const columns = undefined as unknown as Columns
  const match: Match = { sec: 0, slot: 0, bucket: 0, columns }
  let runs: Run[] = []
  let nextBucket = 0

  function isSpent(): boolean {
    if (budget.postings >= 0) return false
    budget.reason ??= 'postings'
    return true
  }

  function openBucket(): boolean {
    const bucket = buckets[nextBucket++]
    if (bucket === undefined) return false
    match.bucket = bucket
    match.columns = snapshot.columns(bucket).columns
    const { from, to } = rowidRange(sinceS, untilS)
    runs = []
    for (const segment of snapshot.segments(bucket)) {
      const source = { segment, budget }
      const [low, high] = [lowerBound(segment.rowids, from), lowerBound(segment.rowids, to)]
      if (low >= high) continue
      const deleted = snapshot.deletedDocs(bucket, segment)
      const run = isOldest
        ? new BackwardRun(source, deleted, options.expr, low, high)
        : new ForwardRun(source, deleted, options.expr, low, high)
      if (run.move()) runs.push(run)
    }
    return true
  }

  /** The run whose current post comes first in the order of the scan. */
  function foremost(): Run {
    let best = runs[0]!
    for (let i = 1; i < runs.length; i++) {
      const run = runs[i]!
      const isNewer = run.rowids[run.doc]! < best.rowids[best.doc]!
      if (isNewer !== isOldest) best = run
    }
    return best
  }

  return {
    match,
    next() {
      for (;;) {
        while (runs.length === 0) if (isSpent() || !openBucket()) return false
        if (isSpent()) return false
        const run = foremost()
        const rowid = run.rowids[run.doc]!
        match.sec = secOf(rowid)
        match.slot = slotOf(rowid)
        if (!run.move()) runs.splice(runs.indexOf(run), 1)
        if (!isAccepted || isAccepted(match)) return true
        budget.postings -= REFUSED_COST
      }
    },
    countRest(limit) {
      let count = 0
      do {
        for (const run of runs) {
          do {
            if (count >= limit || isSpent()) return count
            if (isAccepted) {
              match.slot = slotOf(run.rowids[run.doc]!)
              if (!isAccepted(match)) {
                budget.postings -= REFUSED_COST
                continue
              }
            }
            count++
          } while (run.move())
        }
      } while (!isSpent() && openBucket())
      return count
    },
  }
}

/** Visits the matches of one segment in one direction, skipping deleted posts. */
interface Run {
  readonly rowids: Float64Array
  readonly doc: number
  /** Moves to the next match; false if there is none. */
  move(): boolean
}

// A class, as its methods are called in the innermost loop (see cursors.ts).
class ForwardRun implements Run {
  doc = -1
  readonly rowids: Float64Array
  readonly #cursor: Cursor
  readonly #deleted: DeletedDocs
  readonly #high: number
  readonly #budget: Budget
  #next: number

  constructor(
    source: CursorSource,
    deleted: DeletedDocs,
    expr: Expr | null,
    low: number,
    high: number,
  ) {
    this.rowids = source.segment.rowids
    this.#cursor = openCursor(source, expr)
    this.#deleted = deleted
    this.#budget = source.budget
    this.#next = low
    this.#high = high
  }

  move(): boolean {
    let at = this.#cursor.seek(this.#next)
    while (at < this.#high && isDeleted(this.#deleted, at)) {
      this.#budget.postings -= REFUSED_COST
      at = this.#cursor.seek(at + 1)
    }
    if (at >= this.#high) return false
    this.#next = at + 1
    this.doc = at
    return true
  }
}

class BackwardRun implements Run {
  doc = -1
  readonly rowids: Float64Array
  readonly #source: CursorSource
  readonly #deleted: DeletedDocs
  readonly #expr: Expr | null
  readonly #low: number
  #end: number
  #found: number[] = []

  constructor(
    source: CursorSource,
    deleted: DeletedDocs,
    expr: Expr | null,
    low: number,
    high: number,
  ) {
    this.rowids = source.segment.rowids
    this.#source = source
    this.#deleted = deleted
    this.#expr = expr
    this.#low = low
    this.#end = high
  }

  move(): boolean {
    while (this.#found.length === 0) {
      const { budget } = this.#source
      if (this.#end <= this.#low || budget.postings < 0) return false
      const start = Math.max(this.#low, this.#end - this.#source.segment.sizes.backwardDocs)
      const run = new ForwardRun(this.#source, this.#deleted, this.#expr, start, this.#end)
      while (run.move()) this.#found.push(run.doc)
      this.#end = start
      // When the budget ran out, matches may have been missed, so none of these may be shown.
      if (budget.postings < 0) this.#found = []
    }
    this.doc = this.#found.pop()!
    return true
  }
}

export function bucketsIn(snapshot: Snapshot, sinceS: number, untilS: number): number[] {
  return snapshot.buckets.filter(
    (bucket) => (bucket + 1) * BUCKET_S > sinceS && bucket * BUCKET_S < untilS,
  )
}
