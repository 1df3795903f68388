import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { mostFrequent } from '../expand.ts'
import type { Expansion, TermStats } from '../plan.ts'
import { createColumns, loadChunk, reserve, type BucketColumns } from './columns.ts'
import { createStatements, openForReading, readMeta } from './schema.ts'

/** One generation opened for reading: its tables, and its columns in memory as of the last refresh. */
export interface Snapshot extends TermStats {
  readonly db: DatabaseSync
  readonly generation: number
  readonly seq: number
  /** Newest first. */
  readonly buckets: readonly number[]
  columns(bucket: number): BucketColumns
  /** Posts in the bucket now. */
  live(bucket: number): number
  subscribers(channelId: number): number
  dfIn(term: string, bucket: number): number
  statement(sql: string): StatementSync
  /** The same with rows as arrays, which are quicker to make than objects. */
  rows(sql: string): StatementSync
  /** Runs `work` on one state of the index; undefined when this generation no longer serves. */
  read<T>(work: () => T): T | undefined
  close(): void
}

/** Frequencies remembered until the index changes. */
const MAX_FREQUENCIES = 20_000

export function openSnapshot(path: string): Snapshot {
  const db = openForReading(path)
  const statement = createStatements(db)
  const rows = createStatements(db, { returnArrays: true })
  const generation = readMeta(db, 'generation')
  const meta = db.prepare(`select key, value from meta where key in ('seq', 'retired')`)
  const columns = new Map<number, BucketColumns>()
  const subscribers = new Map<number, number>()
  const frequencies = new Map<string, Map<number, number>>()
  let buckets: number[] = []
  let live = new Map<number, number>()
  let posts = 0
  let seq = -1

  function refresh(): boolean {
    const now = new Map(meta.all().map((row) => [row['key'], Number(row['value'])]))
    if (now.get('retired') !== 0) return false
    if (now.get('seq') === seq) return true
    const rows = statement(
      'select bucket, next_slot, posts, live from bucket order by bucket desc',
    ).all()
    buckets = rows.map((row) => Number(row['bucket']))
    live = new Map(rows.map((row) => [Number(row['bucket']), Number(row['live'])]))
    posts = rows.reduce((sum, row) => sum + Number(row['posts']), 0)
    for (const row of rows) {
      const bucket = Number(row['bucket'])
      if (!columns.has(bucket)) columns.set(bucket, { columns: createColumns(0), tags: [] })
      reserve(columns.get(bucket)!, Number(row['next_slot']))
    }
    for (const bucket of columns.keys()) if (!buckets.includes(bucket)) columns.delete(bucket)
    for (const row of statement('select id, data, tags from chunk where seq > ?').iterate(seq)) {
      const { id, data, tags } = row as unknown as {
        id: number
        data: Uint8Array
        tags: Uint8Array
      }
      const held = columns.get(Math.floor(id / 65_536))
      if (!held) continue
      loadChunk(held, id % 65_536, data)
      held.tags[id % 65_536] = tags
    }
    for (const row of statement('select id, subscribers from channel where seq > ?').all(seq)) {
      subscribers.set(Number(row['id']), Number(row['subscribers']))
    }
    frequencies.clear()
    seq = now.get('seq')!
    return true
  }

  function load(terms: readonly string[]): void {
    const missing = terms.filter((term) => !frequencies.has(term))
    if (missing.length === 0) return
    if (frequencies.size > MAX_FREQUENCIES) frequencies.clear()
    for (const term of missing) frequencies.set(term, new Map())
    const rows = statement(
      'select term, bucket, df from term where term in (select value from json_each(?))',
    ).all(JSON.stringify(missing))
    for (const row of rows) {
      frequencies.get(String(row['term']))?.set(Number(row['bucket']), Number(row['df']))
    }
  }

  function frequency(term: string): ReadonlyMap<number, number> {
    if (!frequencies.has(term)) load([term])
    return frequencies.get(term)!
  }

  return {
    db,
    generation,
    get seq() {
      return seq
    },
    get buckets() {
      return buckets
    },
    get posts() {
      return posts
    },
    columns: (bucket) => columns.get(bucket)!,
    live: (bucket) => live.get(bucket) ?? 0,
    subscribers: (channelId) => subscribers.get(channelId) ?? 0,
    df(term) {
      let sum = 0
      for (const df of frequency(term).values()) sum += df
      return sum
    },
    load,
    dfIn: (term, bucket) => frequency(term).get(bucket) ?? 0,
    expand: (prefix, limit, look) => expandPrefix(statement, prefix, limit, look),
    statement,
    rows,
    read(work) {
      db.exec('begin')
      try {
        return refresh() ? work() : undefined
      } finally {
        db.exec('commit')
      }
    },
    close: () => db.close(),
  }
}

function expandPrefix(
  statement: (sql: string) => StatementSync,
  prefix: string,
  limit: number,
  look: number,
): Expansion {
  const rows = statement(
    `select term, sum(df) as df from term where term >= ? and term < ? group by term order by term limit ?`,
  ).all(prefix, `${prefix}\u{10ffff}`, look + 1)
  const found = rows.map((row) => ({ term: String(row['term']), df: Number(row['df']) }))
  return mostFrequent(found, limit, look)
}
