/**
 * Merges segments, because every term has to be looked up in each. Several of about the same size become one, a few terms
 * at a time and each step in a transaction of its own, so that no batch waits long for a merge.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createStatements } from '../schema.ts'
import { firstRow, type Sizes } from './layout.ts'
import { startMerging, type Merging } from './merge-segments.ts'

export interface MergePolicy {
  /** This many segments of about the same size are merged. */
  readonly fanIn: number
  /** The same while many posts come in: the more are merged at once, the less often each post is. */
  readonly busyFanIn: number
  /** Sizes within this factor count as about the same. */
  readonly sizeStep: number
  /** A bucket at rest is merged if it has over `few` segments, or the smaller ones hold over `share` of the largest. */
  readonly few: number
  readonly share: number
  /** The work of one step, about 50 ms: merged postings, with each term and each deleted row charged as some. */
  readonly step: number
}

export const MERGE_POLICY: MergePolicy = {
  fanIn: 3,
  busyFanIn: 10,
  sizeStep: 4,
  few: 4,
  share: 0.02,
  step: 400_000,
}

/** Segments of fewer posts count as being of the same size. */
const SMALL = 256
/** How many segments are merged at once at most. */
const AT_ONCE = 48
const PER_ROW = 100
const PER_POST = 2

/** When a step is made. */
export interface Pace {
  /** True while many posts come in. */
  readonly isBusy: boolean
  /** All segments of a bucket at rest become one. */
  isAtRest(bucket: number): boolean
}

export interface Merger {
  /** Makes one step; false if nothing is left to do. */
  step(pace: Pace): boolean
}

export function createMerger(db: DatabaseSync, policy: MergePolicy, sizes: Sizes): Merger {
  const statement = createStatements(db)
  let merging: Merging | undefined

  function begin(pace: Pace): number {
    const chosen = choose(statement, policy, pace)
    if (!chosen) return 0
    merging = startMerging(db, statement, chosen, sizes)
    return 1 + chosen.posts * PER_POST
  }

  function goOn(current: Merging, work: number): number {
    // If its bucket was dropped meanwhile, what was written is swept.
    const isWanted = current.sources.every((id) => isServing(statement, id))
    const used = isWanted ? current.merge(work) : 1
    if (!isWanted || current.isDone) merging = undefined
    return used
  }

  return {
    step(pace) {
      for (let left = policy.step; left > 0;) {
        // Sweeps before starting the next merge: rows to be swept take room in the file that nothing else can use.
        const used = merging
          ? goOn(merging, left)
          : sweep(statement, Math.ceil(left / PER_ROW)) * PER_ROW || begin(pace)
        if (used === 0) return false
        left -= used
      }
      return true
    },
  }
}

function isServing(statement: (sql: string) => StatementSync, id: number): boolean {
  return statement('select is_serving from segment where id = ?').get(id)?.['is_serving'] === 1
}

/** Deletes rows of a segment that no longer serves, or never did. Returns how many. */
function sweep(statement: (sql: string) => StatementSync, most: number): number {
  const row = statement('select id from segment where not is_serving limit 1').get()
  if (!row) return 0
  const id = Number(row['id'])
  let swept = 1
  for (const table of ['page', 'list']) {
    const { changes } = statement(
      `delete from ${table} where id in (select id from ${table}
       where id >= cast(?1 as integer) and id < cast(?2 as integer) limit ?3)`,
    ).run(firstRow(id), firstRow(id + 1), most)
    swept += Number(changes)
    if (Number(changes) === most) return swept
  }
  statement('delete from segment where id = ?').run(id)
  return swept
}

interface Chosen {
  readonly bucket: number
  readonly posts: number
  readonly ids: readonly number[]
}

function choose(
  statement: (sql: string) => StatementSync,
  policy: MergePolicy,
  { isBusy, isAtRest }: Pace,
): Chosen | undefined {
  const fanIn = isBusy ? policy.busyFanIn : policy.fanIn
  const rows = statement(
    `select bucket, id, posts from segment where is_serving order by bucket desc, posts`,
  ).all()
  const buckets = Map.groupBy(rows, (row) => Number(row['bucket']))
  for (const [bucket, all] of buckets) {
    const sized = all.map((row) => ({ id: Number(row['id']), posts: Number(row['posts']) }))
    const rest = sized.slice(0, -1).reduce((sum, each) => sum + each.posts, 0)
    const isWorthIt = sized.length > policy.few || rest > sized.at(-1)!.posts * policy.share
    if (sized.length > 1 && isWorthIt && isAtRest(bucket)) {
      return chosenOf(bucket, sized.slice(0, AT_ONCE))
    }
    // From the smallest up: segments worth merging are next to one another.
    for (let from = 0; from + fanIn <= sized.length; from++) {
      const most = policy.sizeStep * Math.max(SMALL, sized[from]!.posts)
      const alike = sized.slice(from, from + AT_ONCE).filter((each) => each.posts <= most)
      if (alike.length >= fanIn) return chosenOf(bucket, alike)
    }
  }
  return undefined
}

function chosenOf(
  bucket: number,
  segments: readonly { readonly id: number; readonly posts: number }[],
): Chosen {
  const posts = segments.reduce((sum, each) => sum + each.posts, 0)
  return { bucket, posts, ids: segments.map((each) => each.id) }
}
