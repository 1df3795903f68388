import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { LACKS_POSTS, WINDOW_MS, type IndexState } from '../search-index.ts'
import { generationPath } from './control.ts'
import { createLiveness } from './deleted-docs.ts'
import { secOf, slotOf } from './rowid.ts'
import { createStatements, readMeta } from './schema.ts'

/** Counts channels by skipping from one to the next instead of reading every post. */
const CHANNELS = `
  with recursive each (id) as (
    select min(channel) from ref
    union all
    select (select min(channel) from ref where channel > id) from each where id is not null)
  select count(id) as n from each`

export function describeIndex(
  db: DatabaseSync,
  now: { readonly now: number; readonly rebuilding: boolean; readonly bytes: number },
): IndexState {
  const buckets = db.prepare('select bucket, live from bucket where live > 0 order by bucket').all()
  const oldest = edge(db, buckets[0]?.['bucket'], 'oldest')
  const newest = edge(db, buckets.at(-1)?.['bucket'], 'newest')
  return {
    kind: 'embedded',
    posts: buckets.reduce((sum, row) => sum + Number(row['live']), 0),
    channels: Number(db.prepare(CHANNELS).get()?.['n'] ?? 0),
    oldestPostAt: oldest === null ? null : Math.max(oldest, now.now - WINDOW_MS),
    newestPostAt: newest,
    analyzerVersion: readMeta(db, 'analyzer_version'),
    generation: readMeta(db, 'generation'),
    complete: readMeta(db, 'complete') === 1,
    // A folder has only one index, whatever rules it was made with.
    isAwaited: false,
    rebuilding: now.rebuilding,
    removals: readMeta(db, 'removals'),
    bytes: now.bytes,
    problem: readMeta(db, 'lacks') === 1 ? LACKS_POSTS : null,
  }
}

/** When the newest or oldest live post of a bucket was published. */
function edge(db: DatabaseSync, bucket: unknown, which: 'newest' | 'oldest'): number | null {
  if (bucket === undefined) return null
  const isThere = createLiveness(createStatements(db), Number(bucket))
  const isLive = (rowid: number) => isThere(slotOf(rowid))
  // Rowids count down in time: the lowest is the newest post.
  const better = which === 'newest' ? Math.min : Math.max
  let best: number | undefined
  for (const row of db
    .prepare(`select id, ${which} as edge from segment where bucket = ? and is_serving`)
    .all(Number(bucket))) {
    let rowid = row['edge'] === null ? undefined : Number(row['edge'])
    if (rowid !== undefined && best !== undefined && better(rowid, best) === best) continue
    if (rowid !== undefined && !isLive(rowid))
      rowid = edgeWithin(db, Number(row['id']), which, isLive)
    if (rowid !== undefined) best = best === undefined ? rowid : better(rowid, best)
  }
  return best === undefined ? null : secOf(best) * 1000
}

function edgeWithin(
  db: DatabaseSync,
  segment: number,
  which: 'newest' | 'oldest',
  isLive: (rowid: number) => boolean,
): number | undefined {
  const row = db.prepare('select rowids from segment where id = ?').get(segment)
  const rowids = new Float64Array((row!['rowids'] as Uint8Array).slice().buffer)
  return which === 'newest' ? rowids.find(isLive) : rowids.findLast(isLive)
}

/** The size of a generation's files in bytes. */
export function sizeOf(folder: string, generation: number): number {
  const path = generationPath(folder, generation)
  const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return bytesOf(path) + bytesOf(`${path}-wal`)
}
