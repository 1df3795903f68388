import { LIMITS } from '../limits.ts'
import type { ColumnBounds, Expr, Plan } from '../plan.ts'
import type { Columns } from './columns.ts'
import { boundsOf, countTerms, estimatePostings, ftsQuery, narrow } from './fts-query.ts'
import { BUCKET_S } from '../bucket.ts'
import { rowidRange, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** What is left of a search's allowance. */
export interface Allowance {
  postings: number
  /** Set once something had to be left out: which bound was met. */
  reason: string | null
}

/** A match as a scan meets it. Reused from row to row: copy what you keep. */
export interface Match {
  sec: number
  slot: number
  bucket: number
  columns: Columns
}

export interface Scan {
  readonly expr: Expr | null
  readonly sinceS: number
  readonly untilS: number
  readonly order: 'newest' | 'oldest'
  readonly allowance: Allowance
  /** Posts changed after this are passed over. */
  readonly maxSeq?: number
  /** How many matches are likely to be looked at: so many are read at first, twice as many whenever they do not do. */
  readonly page: number
  /** True ends the scan. */
  readonly visit: (match: Match) => boolean
}

/** How many matches a scan has seen, and where it ended: those beyond are still to be counted. */
export interface Seen {
  count: number
  /** Null when there are no more. */
  end: number | null
}

/** One FTS5 query never walks through more than about this many postings before the allowance is looked at again. */
const STEP_POSTINGS = 100_000
/** Finding a term, and its first row in range, costs every FTS5 query what reading so many would. */
const SET_UP_POSTINGS = 500
/** Most rowids read at a time. */
export const MAX_PAGE = 4_096

/**
 * Walks through the matches in time order; the order within one second is not defined. False when the allowance ended it.
 * Rowids come from SQLite a page at a time, as one text, so that nothing runs inside a query that is still open.
 */
export function scanMatches(snapshot: Snapshot, plan: Plan, scan: Scan): boolean {
  const match: Match = { sec: 0, slot: 0, bucket: 0, columns: undefined as unknown as Columns }
  const isOpen = acceptance(snapshot, plan, scan.maxSeq)
  for (const step of stepsOf(snapshot, scan)) {
    if (step.postings > scan.allowance.postings) {
      scan.allowance.reason ??= 'postings'
      return false
    }
    match.bucket = step.bucket
    match.columns = snapshot.columns(step.bucket).columns
    for (const rowids of pagesOf(snapshot, step, scan)) {
      for (const rowid of rowids) {
        match.sec = secOf(rowid)
        match.slot = slotOf(rowid)
        if (isOpen(match) && scan.visit(match)) return true
      }
    }
    scan.allowance.postings -= step.postings
  }
  return true
}

function* pagesOf(
  snapshot: Snapshot,
  step: Step,
  { order, page }: Pick<Scan, 'order' | 'page'>,
): Generator<readonly number[]> {
  let { from, to } = step
  let size = Math.min(page, MAX_PAGE)
  const select = snapshot.statement(
    `select json_group_array(id) as ids from (
       select rowid as id from fts_${step.bucket} where fts_${step.bucket} match ?
       and rowid >= cast(? as integer) and rowid < cast(? as integer)
       order by rowid ${order === 'oldest' ? 'desc' : ''} limit ?)`,
  )
  for (;;) {
    const rowids = JSON.parse(String(select.get(step.query, from, to, size)?.['ids'])) as number[]
    yield rowids
    if (rowids.length < size) return
    if (order === 'oldest') to = rowids.at(-1)!
    else from = rowids.at(-1)! + 1
    size = Math.min(2 * size, MAX_PAGE)
  }
}

/**
 * How many matches there are, counted by SQLite alone up to `limit` from where a scan in this order ended; `isWhole` is
 * false when the allowance ended it.
 */
export function countMatches(
  snapshot: Snapshot,
  plan: Plan,
  options: {
    readonly seen: Seen
    readonly order: 'newest' | 'oldest'
    readonly limit: number
    readonly allowance: Allowance
  },
): { count: number; isWhole: boolean } {
  const { seen, order, limit, allowance } = options
  if (fewestMatches(snapshot, plan) >= limit) return { count: limit, isWhole: true }
  let { count } = seen
  if (seen.end === null || count >= limit) return { count, isWhole: true }
  for (const step of stepsOf(snapshot, { ...plan, order })) {
    if (order === 'oldest' ? step.from > seen.end : step.to <= seen.end) continue
    if (step.postings > allowance.postings) return { count, isWhole: false }
    const from = order === 'newest' ? Math.max(step.from, seen.end + 1) : step.from
    const to = order === 'oldest' ? Math.min(step.to, seen.end) : step.to
    const row = snapshot
      .statement(
        `select count(*) as n from (select 1 from fts_${step.bucket} where fts_${step.bucket} match ?
         and rowid >= cast(? as integer) and rowid < cast(? as integer) limit ?)`,
      )
      .get(step.query, from, to, limit - count)
    count += Number(row?.['n'])
    if (count >= limit) break
    allowance.postings -= step.postings
  }
  return { count, isWhole: true }
}

/** There are at least so many, as far as the frequencies of the terms tell. */
export function fewestMatches(
  snapshot: Snapshot,
  { expr, sinceS, untilS, isBounded }: Plan,
): number {
  if (isBounded) return 0
  let sum = 0
  for (const bucket of snapshot.buckets) {
    if (bucket * BUCKET_S < sinceS || (bucket + 1) * BUCKET_S > untilS) continue
    sum += Math.max(
      0,
      boundsOf(expr, snapshot.live(bucket), (term) => snapshot.dfIn(term, bucket)).least,
    )
  }
  return sum
}

/** Does this one post match? */
export function isMatch(
  snapshot: Snapshot,
  expr: Expr | null,
  bucket: number,
  rowid: number,
): boolean {
  return (
    snapshot
      .statement(
        `select 1 from fts_${bucket} where fts_${bucket} match ? and rowid = cast(? as integer)`,
      )
      .get(ftsQuery(expr), rowid) !== undefined
  )
}

/** The bounds on columns, as one test. */
export function acceptance(
  snapshot: Snapshot,
  plan: Plan,
  maxSeq = Infinity,
): (match: Pick<Match, 'columns' | 'slot'>) => boolean {
  const { bounds, isBounded } = plan
  if (!isBounded && maxSeq === Infinity) return () => true
  return ({ columns, slot }) =>
    columns.seq[slot]! <= maxSeq && (!isBounded || isWithin(snapshot, bounds, columns, slot))
}

function isWithin(
  snapshot: Snapshot,
  bounds: ColumnBounds,
  columns: Columns,
  slot: number,
): boolean {
  return (
    columns.views[slot]! >= bounds.minViews &&
    columns.views[slot]! < bounds.maxViews &&
    columns.reactions[slot]! >= bounds.minReactions &&
    columns.arrived[slot]! >= bounds.arrivedSince &&
    (bounds.minSubscribers === 0 ||
      snapshot.subscribers(columns.channel[slot]!) >= bounds.minSubscribers)
  )
}

interface Step {
  readonly bucket: number
  readonly query: string
  readonly from: number
  readonly to: number
  readonly postings: number
}

function* stepsOf(
  snapshot: Snapshot,
  scan: Pick<Scan, 'expr' | 'sinceS' | 'untilS' | 'order'>,
): Generator<Step> {
  const buckets = bucketsIn(snapshot, scan.sinceS, scan.untilS)
  if (scan.order === 'oldest') buckets.reverse()
  for (const bucket of buckets) {
    const start = Math.max(scan.sinceS, bucket * BUCKET_S)
    const end = Math.min(scan.untilS, (bucket + 1) * BUCKET_S)
    const df = (term: string) => snapshot.dfIn(term, bucket)
    const expr = narrow(scan.expr, df)
    if (!expr) continue
    const query = ftsQuery(expr)
    // FTS5 reads from the oldest to the newest at half the speed.
    const whole = estimatePostings(expr, df) * (scan.order === 'oldest' ? 2 : 1)
    const postings = (whole * (end - start)) / BUCKET_S
    const setUp = countTerms(expr) * SET_UP_POSTINGS
    const parts = Math.min(64, Math.max(1, Math.ceil(postings / STEP_POSTINGS)))
    const length = Math.ceil((end - start) / parts)
    for (let part = 0; part < parts; part++) {
      const isForward = scan.order === 'oldest'
      const since = isForward ? start + part * length : Math.max(start, end - (part + 1) * length)
      const until = isForward ? Math.min(end, since + length) : end - part * length
      if (since >= until) continue
      const range = rowidRange(since, until)
      yield { bucket, query, ...range, postings: postings / parts + setUp }
    }
  }
}

function bucketsIn(snapshot: Snapshot, sinceS: number, untilS: number): number[] {
  return snapshot.buckets.filter(
    (bucket) => (bucket + 1) * BUCKET_S > sinceS && bucket * BUCKET_S < untilS,
  )
}

export function createAllowance(): Allowance {
  return { postings: LIMITS.postings, reason: null }
}
