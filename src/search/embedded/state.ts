import type { DatabaseSync } from 'node:sqlite'
import { WINDOW_MS, type IndexState } from '../search-index.ts'
import { secOf } from './rowid.ts'
import { readMeta } from './schema.ts'

/** Channels are counted by skipping from one to the next, not by reading every post. */
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
  const oldest = edge(db, buckets[0]?.['bucket'], 'max')
  const newest = edge(db, buckets.at(-1)?.['bucket'], 'min')
  return {
    posts: buckets.reduce((sum, row) => sum + Number(row['live']), 0),
    channels: Number(db.prepare(CHANNELS).get()?.['n'] ?? 0),
    oldestPostAt: oldest === null ? null : Math.max(oldest, now.now - WINDOW_MS),
    newestPostAt: newest,
    analyzerVersion: readMeta(db, 'analyzer_version'),
    generation: readMeta(db, 'generation'),
    complete: readMeta(db, 'complete') === 1,
    rebuilding: now.rebuilding,
    bytes: now.bytes,
  }
}

function edge(db: DatabaseSync, bucket: unknown, which: 'min' | 'max'): number | null {
  if (bucket === undefined) return null
  const row = db.prepare(`select ${which}(id) as id from fts_${Number(bucket)}_docsize`).get()
  return row?.['id'] == null ? null : secOf(Number(row['id'])) * 1000
}
