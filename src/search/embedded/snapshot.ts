import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { addTo, getOrMake } from '../../model/get-or-make.ts'
import type { TermStats } from '../expr.ts'
import type { LeafCache } from '../plan.ts'
import { createColumns, loadChunk, openTags, reserve, type BucketColumns } from './columns.ts'
import { deletedDocsOf, withDeleted, type DeletedDocs } from './deleted-docs.ts'
import { loadSegment, type Segment, type Sizes } from './postings/postings.ts'
import { rowidOf } from './rowid.ts'
import {
  createStatements,
  endTransaction,
  openForReading,
  closeOnError,
  readMeta,
} from './schema.ts'
import { createTermCache } from './term-cache.ts'

/** One generation opened for reading: its tables, and its columns in memory as of the last refresh. */
export interface Snapshot extends TermStats {
  readonly db: DatabaseSync
  readonly format: number
  readonly generation: number
  readonly seq: number
  /** Newest first. */
  readonly buckets: readonly number[]
  columns(bucket: number): BucketColumns
  segments(bucket: number): readonly Segment[]
  deletedDocs(bucket: number, segment: Segment): DeletedDocs
  /** One number per post, all zero; the user must reset them to zero. */
  scratch(segment: Segment): Uint16Array
  /** The document frequency of a term that is hardly ever asked for; it is not cached. */
  dfOfRare(term: string): number
  /** The words nearest to words that no post holds, cached until the segments change. */
  readonly nearest: Map<string, readonly string[]>
  readonly leaves: LeafCache
  subscribers(channelId: number): number
  statement(sql: string): StatementSync
  /** Runs `work` on one state of the index; undefined if this generation no longer serves. */
  read<T>(work: () => T): T | undefined
  close(): void
}

export function openSnapshot(path: string, sizes: Sizes): Snapshot {
  const db = openForReading(path)
  return closeOnError(db, () => snapshotOf(db, sizes))
}

function snapshotOf(db: DatabaseSync, sizes: Sizes): Snapshot {
  const statement = createStatements(db)
  const generation = readMeta(db, 'generation')
  const meta = db.prepare(`select key, value from meta where key in ('seq', 'merges', 'retired')`)
  const version = db.prepare('pragma data_version')
  const columns = new Map<number, BucketColumns>()
  const subscribers = new Map<number, number>()
  const segments = new Map<number, Segment>()
  const scratch = new Map<Segment, Uint16Array>()
  const deleted = new Map<Segment, DeletedDocs>()
  const terms = createTermCache(segments)
  let byBucket = new Map<number, Segment[]>()
  let buckets: number[] = []
  let posts = 0
  let seq = -1
  let merges = -1
  let lastVersion: unknown

  function refresh(): boolean {
    // Unchanged as long as nobody writes. Asking for it costs a third of reading the numbers below.
    const thisVersion = version.get()!['data_version']
    if (thisVersion === lastVersion) return true
    const now = new Map(meta.all().map((row) => [row['key'], Number(row['value'])]))
    if (now.get('retired') !== 0) return false
    if (now.get('merges') !== merges || now.get('seq') !== seq) refreshSegments()
    merges = now.get('merges')!
    if (now.get('seq') !== seq) refreshColumns()
    seq = now.get('seq')!
    lastVersion = thisVersion
    return true
  }

  function refreshColumns(): void {
    const rows = statement('select bucket, next_slot, posts from bucket order by bucket desc').all()
    buckets = rows.map((row) => Number(row['bucket']))
    posts = rows.reduce((sum, row) => sum + Number(row['posts']), 0)
    for (const row of rows) {
      const bucket = Number(row['bucket'])
      if (!columns.has(bucket)) columns.set(bucket, { columns: createColumns(0), tags: [] })
      reserve(columns.get(bucket)!, Number(row['next_slot']))
    }
    for (const bucket of columns.keys()) if (!buckets.includes(bucket)) columns.delete(bucket)
    for (const row of statement('select id, data, tags from chunk where seq > ?').iterate(seq)) {
      const { id, data, tags } = row as { id: number; data: Uint8Array; tags: Uint8Array }
      const held = columns.get(Math.floor(id / 65_536))
      if (!held) continue
      for (const slot of loadChunk(held, id % 65_536, data)) {
        const rowid = rowidOf(held.columns.arrived[slot]!, slot)
        for (const segment of byBucket.get(Math.floor(id / 65_536)) ?? [])
          markDeleted(segment, rowid)
      }
      held.tags[id % 65_536] = openTags(tags)
      // Gives the memory back now: if it were garbage-collected later, a million posts would leave 40 MB of holes between
      // what stays. Every blob has a buffer of its own.
      ;(data.buffer as ArrayBuffer).transfer(0)
    }
    for (const row of statement('select id, subscribers from channel where seq > ?').all(seq)) {
      subscribers.set(Number(row['id']), Number(row['subscribers']))
    }
  }

  /** Does nothing if nobody has asked for the segment's deleted docs yet: they will be read from the columns. */
  function markDeleted(segment: Segment, rowid: number): void {
    const known = deleted.get(segment)
    if (known !== undefined) deleted.set(segment, withDeleted(known, segment.rowids, rowid))
  }

  /** A segment never changes, so only new ones are read. */
  function refreshSegments(): void {
    const listed = statement('select id, bucket from segment where is_serving').all()
    const grouped = new Map<number, Segment[]>()
    for (const row of listed) {
      const id = Number(row['id'])
      const segment = getOrMake(segments, id, () => loadSegment(statement, id, sizes))
      addTo(grouped, Number(row['bucket']), segment)
    }
    const serving = new Set(listed.map((row) => Number(row['id'])))
    for (const [id, segment] of segments) {
      if (serving.has(id)) continue
      segments.delete(id)
      deleted.delete(segment)
      scratch.delete(segment)
    }
    byBucket = grouped
    terms.clear()
  }

  return {
    db,
    format: readMeta(db, 'format'),
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
    segments: (bucket) => byBucket.get(bucket) ?? [],
    deletedDocs: (bucket, segment) =>
      getOrMake(deleted, segment, () =>
        deletedDocsOf(segment.rowids, columns.get(bucket)!.columns),
      ),
    scratch: (segment) => getOrMake(scratch, segment, () => new Uint16Array(segment.rowids.length)),
    subscribers: (channelId) => subscribers.get(channelId) ?? 0,
    df: terms.df,
    dfOfRare: terms.dfOfRare,
    expand: terms.expand,
    get nearest() {
      return terms.nearest
    },
    get leaves() {
      return terms.leaves
    },
    statement,
    read(work) {
      db.exec('begin')
      try {
        return refresh() ? work() : undefined
      } finally {
        endTransaction(db)
      }
    },
    close: () => db.close(),
  }
}
