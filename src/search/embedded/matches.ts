import { BUCKET_S } from '../bucket.ts'
import type { Expr } from '../expr.ts'
import { acceptance } from './acceptance.ts'
import type { Match, Search } from './collector.ts'
import type { Columns } from './columns.ts'
import { isGone, type Gone } from './gone.ts'
import { openCursor, type Ground } from './postings/open-cursor.ts'
import { KnownCursor, type Known } from './postings/known.ts'
import type { Cursor } from './postings/cursors.ts'
import type { Budget } from './postings/list.ts'
import { placeOf, rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** Which matches, and which way. */
export interface ScanOptions {
  readonly expr: Expr | null
  readonly sinceS: number
  readonly untilS: number
  readonly order: 'newest' | 'oldest'
  /** Posts changed after this are passed over. */
  readonly maxSeq?: number
}

/** All matches of a search. */
export function matchesOf({ plan: { expr, sinceS, untilS }, query }: Search): ScanOptions {
  return { expr, sinceS, untilS, order: query.sort === 'oldest' ? 'oldest' : 'newest' }
}

/** Goes through the matches in time order; those of one second come in no order that means anything. */
export interface Scan {
  readonly match: Match
  /** On to the next match; false when there is none, or none within the budget. */
  next(): boolean
  /** How many more there are, counted up to `limit`. */
  countRest(limit: number): number
}

/** What a post costs that is gone or that the columns refuse, in postings decoded. */
export const REFUSED = 1

export function openScan({ snapshot, plan, budget }: Search, options: ScanOptions): Scan {
  const { sinceS, untilS, order } = options
  const isOldest = order === 'oldest'
  const buckets = bucketsIn(snapshot, sinceS, untilS)
  if (isOldest) buckets.reverse()
  const isAccepted = acceptance(snapshot, plan, options.maxSeq)
  const match: Match = {
    rowid: 0,
    sec: 0,
    slot: 0,
    bucket: 0,
    columns: undefined as unknown as Columns,
  }
  const knownIn = snapshot.knownMatches.of(options.expr)
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
    const testOf = snapshot.tests(bucket)
    for (const segment of snapshot.segments(bucket)) {
      const ground = { segment, budget, testOf, known: knownIn(segment) }
      const [low, high] = [placeOf(segment.rowids, from), placeOf(segment.rowids, to)]
      if (low >= high) continue
      const gone = snapshot.gone(bucket, segment)
      const run = isOldest
        ? new BackwardRun(ground, gone, options.expr, low, high)
        : new ForwardRun(ground, gone, options.expr, low, high)
      if (run.move()) runs.push(run)
    }
    return true
  }

  /** The run whose post comes first. */
  function foremost(): Run {
    let best = runs[0]!
    for (let i = 1; i < runs.length; i++) {
      const run = runs[i]!
      const isNewer = run.rowids[run.ord]! < best.rowids[best.ord]!
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
        match.rowid = run.rowids[run.ord]!
        match.sec = secOf(match.rowid)
        match.slot = slotOf(match.rowid)
        if (!run.move()) runs.splice(runs.indexOf(run), 1)
        if (!isAccepted || isAccepted(match)) return true
        budget.postings -= REFUSED
      }
    },
    countRest(limit) {
      let count = 0
      do {
        for (const run of runs) {
          do {
            if (count >= limit || isSpent()) return count
            if (isAccepted) {
              match.slot = slotOf(run.rowids[run.ord]!)
              if (!isAccepted(match)) {
                budget.postings -= REFUSED
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

interface RunGround extends Ground {
  readonly known: Known | null
}

function openMatches(ground: RunGround, expr: Expr | null, low: number): Cursor {
  const { known, segment } = ground
  // What is known begins with the newest post of the segment. From another one on, a walk costs something else.
  if (!known || low > 0) return openCursor(ground, expr)
  const options = { posts: segment.rowids.length, most: segment.sizes.known, budget: ground.budget }
  return new KnownCursor(known, options, (budget) => openCursor({ ...ground, budget }, expr))
}

/** Through the matches of one segment that are still there, in one direction. */
interface Run {
  readonly rowids: Float64Array
  readonly ord: number
  /** On to the next; false when there is none. */
  move(): boolean
}

// Classes, as cursors are and for their reason.
class ForwardRun implements Run {
  ord = -1
  readonly rowids: Float64Array
  readonly #cursor: Cursor
  readonly #gone: Gone
  readonly #high: number
  readonly #budget: Budget
  #next: number

  constructor(ground: RunGround, gone: Gone, expr: Expr | null, low: number, high: number) {
    this.rowids = ground.segment.rowids
    this.#cursor = openMatches(ground, expr, low)
    this.#gone = gone
    this.#budget = ground.budget
    this.#next = low
    this.#high = high
  }

  move(): boolean {
    let at = this.#cursor.seek(this.#next)
    while (at < this.#high && isGone(this.#gone, at)) {
      this.#budget.postings -= REFUSED
      at = this.#cursor.seek(at + 1)
    }
    if (at >= this.#high) return false
    this.#next = at + 1
    this.ord = at
    return true
  }
}

class BackwardRun implements Run {
  ord = -1
  readonly rowids: Float64Array
  readonly #ground: RunGround
  readonly #gone: Gone
  readonly #expr: Expr | null
  readonly #low: number
  #end: number
  #found: number[] = []

  constructor(ground: RunGround, gone: Gone, expr: Expr | null, low: number, high: number) {
    this.rowids = ground.segment.rowids
    this.#ground = ground
    this.#gone = gone
    this.#expr = expr
    this.#low = low
    this.#end = high
  }

  move(): boolean {
    while (this.#found.length === 0) {
      const { budget } = this.#ground
      if (this.#end <= this.#low || budget.postings < 0) return false
      const start = Math.max(this.#low, this.#end - this.#ground.segment.sizes.stretch)
      const run = new ForwardRun(this.#ground, this.#gone, this.#expr, start, this.#end)
      while (run.move()) this.#found.push(run.ord)
      this.#end = start
      // What was found behind the end of the budget may not be all there is.
      if (budget.postings < 0) this.#found = []
    }
    this.ord = this.#found.pop()!
    return true
  }
}

export function bucketsIn(snapshot: Snapshot, sinceS: number, untilS: number): number[] {
  return snapshot.buckets.filter(
    (bucket) => (bucket + 1) * BUCKET_S > sinceS && bucket * BUCKET_S < untilS,
  )
}
