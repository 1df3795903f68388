/**
 * Few segments instead of many: a term costs a look into each. Several of about one size become one, a stretch of terms
 * at a time and each in a transaction of its own, so that no post waits long behind a merge.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createStatements } from '../schema.ts'
import { startMerging, type Merging } from './merge-segments.ts'
import { firstPart } from './segment-writer.ts'

export const MERGING = {
  /** So many segments of about one size are made one; */
  fanIn: 4,
  /** sizes within this factor are. */
  sizeStep: 4,
  /** A bucket at rest is written anew where it has more segments than few, or so large a share beside the largest. */
  few: 4,
  share: 0.02,
  /** What one step merges: postings, each term counting as some; about 50 ms. */
  step: 400_000,
  term: 40,
  /** Rows of segments that serve no more, deleted at a time. */
  swept: 4_000,
}

export interface Merger {
  /** One step; false when there is nothing to do. Of a bucket at rest all segments are made one. */
  step(isAtRest: (bucket: number) => boolean): boolean
}

export function createMerger(db: DatabaseSync): Merger {
  const statement = createStatements(db)
  let merging: Merging | undefined

  return {
    step(isAtRest) {
      const current = merging
      // Begun anew after a step that fails: what it wrote is swept.
      merging = undefined
      if (current && current.sources.every((id) => isServing(statement, id))) {
        if (current.next(MERGING.step, MERGING.term)) merging = current
        return true
      }
      if (sweep(statement)) return true
      const chosen = choose(statement, isAtRest)
      if (chosen) merging = startMerging(db, statement, chosen)
      return chosen !== undefined
    },
  }
}

function isServing(statement: (sql: string) => StatementSync, id: number): boolean {
  return statement('select is_serving from segment where id = ?').get(id)?.['is_serving'] === 1
}

/** Deletes some of what segments held that serve no more, or never did; false when nothing is left of any. */
function sweep(statement: (sql: string) => StatementSync): boolean {
  const row = statement('select id from segment where not is_serving limit 1').get()
  if (!row) return false
  const id = Number(row['id'])
  for (const table of ['page', 'list']) {
    const { changes } = statement(
      `delete from ${table} where id in (select id from ${table}
       where id >= cast(?1 as integer) and id < cast(?2 as integer) limit ${MERGING.swept})`,
    ).run(firstPart(id), firstPart(id + 1))
    if (Number(changes) === MERGING.swept) return true
  }
  statement('delete from segment where id = ?').run(id)
  return true
}

interface Chosen {
  readonly bucket: number
  readonly ids: readonly number[]
}

function choose(
  statement: (sql: string) => StatementSync,
  isAtRest: (bucket: number) => boolean,
): Chosen | undefined {
  const rows = statement(
    `select bucket, id, posts from segment where is_serving order by bucket desc, posts`,
  ).all()
  const buckets = Map.groupBy(rows, (row) => Number(row['bucket']))
  for (const [bucket, all] of buckets) {
    const sized = all.map((row) => ({ id: Number(row['id']), posts: Number(row['posts']) }))
    // From the smallest up: those it pays to merge are together.
    for (let from = 0; from + MERGING.fanIn <= sized.length; from++) {
      const group = sized.slice(from, from + MERGING.fanIn)
      if (group.at(-1)!.posts <= MERGING.sizeStep * Math.max(64, group[0]!.posts)) {
        return { bucket, ids: group.map((each) => each.id) }
      }
    }
    const rest = sized.slice(0, -1).reduce((sum, each) => sum + each.posts, 0)
    const isWorthIt = sized.length > MERGING.few || rest > sized.at(-1)!.posts * MERGING.share
    if (rest > 0 && isWorthIt && isAtRest(bucket)) {
      return { bucket, ids: sized.map((each) => each.id) }
    }
  }
  return undefined
}
