import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { mostFrequent } from '../expand.ts'
import type { Expansion, TermStats } from '../expr.ts'
import type { LeafCache } from '../plan.ts'
import { createTests } from './column-filters.ts'
import { createColumns, loadChunk, openTags, reserve, type BucketColumns } from './columns.ts'
import { deletedDocsOf, withDeleted, type DeletedDocs } from './deleted-docs.ts'
import {
  createMatchCache,
  filterHash,
  loadSegment,
  type MatchCache,
  type Segment,
  type Sizes,
  type Test,
} from './postings/postings.ts'
import { rowidOf } from './rowid.ts'
import { createStatements, endTransaction, openForReading, orClose, readMeta } from './schema.ts'

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
  /** For a term that columns tell of: which posts hold it. */
  tests(bucket: number): (term: string) => Test | undefined
  /** A number for each post, all zero; whoever uses them sets them back to zero. */
  scratch(segment: Segment): Uint16Array
  readonly matchCache: MatchCache
  /** The document frequency of a term that is hardly ever asked for, without caching it. */
  dfOfRare(term: string): number
  /** The words nearest to one that no post holds, as far as they were looked for since the segments changed. */
  readonly nearest: Map<string, readonly string[]>
  readonly leaves: LeafCache
  subscribers(channelId: number): number
  statement(sql: string): StatementSync
  /** The same with rows as arrays, which are quicker to make than objects. */
  rows(sql: string): StatementSync
  /** Runs `work` on one state of the index; undefined when this generation no longer serves. */
  read<T>(work: () => T): T | undefined
  close(): void
}

/** Frequencies remembered until the segments change. */
const MAX_FREQUENCIES = 20_000
const MAX_NEAREST = 1_000
const MAX_LEAVES = 1_000
/** Beginnings of which a few words were asked for, which is what the ranker does for every word of a relaxed search. */
const MAX_EXPANSIONS = 1_000
const FEW_WORDS = 16

export function openSnapshot(path: string, sizes: Sizes): Snapshot {
  const db = openForReading(path)
  return orClose(db, () => snapshotOf(db, sizes))
}

function snapshotOf(db: DatabaseSync, sizes: Sizes): Snapshot {
  const statement = createStatements(db)
  const rows = createStatements(db, { returnArrays: true })
  const generation = readMeta(db, 'generation')
  const meta = db.prepare(`select key, value from meta where key in ('seq', 'merges', 'retired')`)
  const version = db.prepare('pragma data_version')
  const columns = new Map<number, BucketColumns>()
  const subscribers = new Map<number, number>()
  const segments = new Map<number, Segment>()
  const languages = new Map<string, number>()
  const scratch = new Map<Segment, Uint16Array>()
  const deleted = new Map<Segment, DeletedDocs>()
  const frequencies = new Map<string, number>()
  const nearest = new Map<string, readonly string[]>()
  const leaves: LeafCache = new Map()
  const expansions = new Map<string, Expansion>()
  const matchCache = createMatchCache()
  let byBucket = new Map<number, Segment[]>()
  let buckets: number[] = []
  let posts = 0
  let seq = -1
  let merges = -1
  let lastVersion: unknown

  function refresh(): boolean {
    // The same as long as nobody writes. Asking costs a third of reading the numbers below.
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
      // Gives the memory back now: collected later, a million posts leave 40 MB of holes between what stays. Every blob has
      // a buffer of its own.
      ;(data.buffer as ArrayBuffer).transfer(0)
    }
    for (const row of statement('select id, subscribers from channel where seq > ?').all(seq)) {
      subscribers.set(Number(row['id']), Number(row['subscribers']))
    }
    for (const row of statement('select id, value from language').all()) {
      languages.set(String(row['value']), Number(row['id']))
    }
  }

  /** Does nothing while nobody has asked for the segment's deleted docs: they are then read from the columns. */
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
      let segment = segments.get(id)
      if (!segment) segments.set(id, (segment = loadSegment(statement, id, sizes)))
      const bucket = Number(row['bucket'])
      const others = grouped.get(bucket)
      if (others) others.push(segment)
      else grouped.set(bucket, [segment])
    }
    const serving = new Set(listed.map((row) => Number(row['id'])))
    for (const [id, segment] of segments) {
      if (serving.has(id)) continue
      segments.delete(id)
      deleted.delete(segment)
      scratch.delete(segment)
      matchCache.forget(segment)
    }
    byBucket = grouped
    frequencies.clear()
    nearest.clear()
    leaves.clear()
    expansions.clear()
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
    tests: (bucket) => createTests(columns.get(bucket)!.columns, languages),
    deletedDocs(bucket, segment) {
      let found = deleted.get(segment)
      if (found === undefined) {
        deleted.set(segment, (found = deletedDocsOf(segment.rowids, columns.get(bucket)!.columns)))
      }
      return found
    },
    scratch(segment) {
      let numbers = scratch.get(segment)
      if (!numbers) scratch.set(segment, (numbers = new Uint16Array(segment.rowids.length)))
      return numbers
    },
    matchCache,
    subscribers: (channelId) => subscribers.get(channelId) ?? 0,
    df(term) {
      let sum = frequencies.get(term)
      if (sum === undefined) {
        sum = 0
        const hash = filterHash(term)
        for (const segment of segments.values()) sum += segment.find(term, hash)?.df ?? 0
        if (frequencies.size >= MAX_FREQUENCIES) frequencies.clear()
        frequencies.set(term, sum)
      }
      return sum
    },
    dfOfRare(term) {
      let sum = 0
      const hash = filterHash(term)
      for (const segment of segments.values()) sum += segment.peek(term, hash)?.df ?? 0
      return sum
    },
    get nearest() {
      if (nearest.size >= MAX_NEAREST) nearest.clear()
      return nearest
    },
    get leaves() {
      if (leaves.size >= MAX_LEAVES) leaves.clear()
      return leaves
    },
    expand(prefix, limit, look) {
      const key = `${prefix} ${limit} ${look}`
      let found = expansions.get(key)
      if (!found) {
        found = expandPrefix(segments.values(), prefix, limit, look)
        if (expansions.size >= MAX_EXPANSIONS) expansions.clear()
        if (limit <= FEW_WORDS) expansions.set(key, found)
      }
      return found
    },
    statement,
    rows,
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

function expandPrefix(
  segments: Iterable<Segment>,
  prefix: string,
  limit: number,
  look: number,
): Expansion {
  const dfs = new Map<string, number>()
  for (const segment of segments) {
    for (const { term, df } of segment.withPrefix(prefix, look + 1)) {
      dfs.set(term, (dfs.get(term) ?? 0) + df)
    }
  }
  const found = [...dfs.keys()].sort().slice(0, look + 1)
  return mostFrequent(
    found.map((term) => ({ term, df: dfs.get(term)! })),
    limit,
    look,
  )
}
