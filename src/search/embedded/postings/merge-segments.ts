import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createLiveness } from '../deleted-docs.ts'
import { slotOf } from '../rowid.ts'
import { doubled } from './bytes.ts'
import { firstBit, readBits } from './bits.ts'
import { PositionReader } from './details.ts'
import { decodeBlock, readBlocks } from './gaps.ts'
import { loadSegment, type Entry, type Segment } from './segment.ts'
import { BLOCK, type Sizes } from './layout.ts'
import { createSegmentWriter, takeSegmentId, type SegmentWriter } from './segment-writer.ts'

/** A merge in progress. */
export interface Merging {
  readonly sources: readonly number[]
  readonly isDone: boolean
  /** Merges terms until about this much work is done. Returns how much it was. */
  merge(work: number): number
}

export function startMerging(
  db: DatabaseSync,
  statement: (sql: string) => StatementSync,
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly number[] },
  sizes: Sizes,
): Merging {
  const id = takeSegmentId(statement)
  const segments = ids.map((each) => loadSegment(statement, each, sizes))
  const { rowids, maps } = mergeRowids(segments, createLiveness(statement, bucket))
  const writer = createSegmentWriter(db, { id, bucket, sizes }, rowids)
  const streams = segments.map((segment, i) => createStream(segment, maps[i]!))
  const merged = createGathered()

  function finish(): void {
    writer.finish()
    statement('update segment set is_serving = 0 where id in (select value from json_each(?))').run(
      JSON.stringify(ids),
    )
    // Tells readers to load the list of segments again.
    statement(`update meta set value = value + 1 where key = 'merges'`).run()
  }

  const merging = {
    sources: ids,
    isDone: false,
    merge(work: number) {
      let used = 0
      while (used < work) {
        const term = leastTerm(streams)
        if (term === undefined) {
          finish()
          merging.isDone = true
          return used + PER_TERM
        }
        used += PER_TERM + mergeTerm(writer, term, streams, merged)
      }
      return used
    },
  }
  return merging
}

/** What a term is charged besides its postings. */
const PER_TERM = 40

const DELETED = 2 ** 32 - 1

/** The rowids of all live posts, and for each segment the new doc id of each old one. */
function mergeRowids(
  segments: readonly Segment[],
  isLive: (slot: number) => boolean,
): { rowids: Float64Array; maps: Uint32Array[] } {
  const all = new Float64Array(segments.reduce((sum, { rowids }) => sum + rowids.length, 0))
  let count = 0
  for (const segment of segments) {
    for (let doc = 0; doc < segment.rowids.length; doc++) {
      const rowid = segment.rowids[doc]!
      if (isLive(slotOf(rowid))) all[count++] = rowid
    }
  }
  const rowids = all.slice(0, count).sort()
  const maps = segments.map((segment) => {
    const map = new Uint32Array(segment.rowids.length)
    let at = 0
    for (let doc = 0; doc < map.length; doc++) {
      const rowid = segment.rowids[doc]!
      while (at < rowids.length && rowids[at]! < rowid) at++
      map[doc] = rowids[at] === rowid ? at : DELETED
    }
    return map
  })
  return { rowids, maps }
}

interface Stream {
  readonly segment: Segment
  readonly map: Uint32Array
  readonly gathered: Gathered
  entry: Entry | undefined
  advance(): void
}

function createStream(segment: Segment, map: Uint32Array): Stream {
  const entries = segment.entries()[Symbol.iterator]()
  const stream: Stream = {
    segment,
    map,
    gathered: createGathered(),
    entry: undefined,
    advance() {
      const { done, value } = entries.next()
      stream.entry = done ? undefined : value
    },
  }
  stream.advance()
  return stream
}

function leastTerm(streams: readonly Stream[]): string | undefined {
  let least: string | undefined
  for (const { entry } of streams) {
    if (entry && (least === undefined || entry.term < least)) least = entry.term
  }
  return least
}

/** Returns the number of postings read. */
function mergeTerm(
  writer: SegmentWriter,
  term: string,
  streams: readonly Stream[],
  merged: Gathered,
): number {
  let df = 0
  let postings = 0
  let lists = 0
  let hasPositions = false
  for (const stream of streams) {
    stream.gathered.clear()
    if (stream.entry?.term !== term) continue
    df += stream.entry.df
    postings += stream.entry.count
    hasPositions = stream.entry.hasPositions
    gather(stream, stream.entry)
    stream.advance()
    lists++
  }
  const all =
    lists === 1 ? streams.find(({ gathered }) => gathered.length > 0)?.gathered : undefined
  const { docs, positions, length } = all ?? mergeGathered(streams, merged)
  writer.add(term, df, { docs, positions: hasPositions ? positions : null }, 0, length)
  return postings
}

/** Occurrences as they are collected, in memory that is reused for the next term. */
interface Gathered {
  docs: Uint32Array
  positions: Uint32Array
  length: number
  push(doc: number, position: number): void
  clear(): void
}

function createGathered(): Gathered {
  const gathered: Gathered = {
    docs: new Uint32Array(256),
    positions: new Uint32Array(256),
    length: 0,
    push(doc, position) {
      if (gathered.length === gathered.docs.length) {
        gathered.docs = doubled(gathered.docs)
        gathered.positions = doubled(gathered.positions)
      }
      gathered.docs[gathered.length] = doc
      gathered.positions[gathered.length++] = position
    },
    clear() {
      gathered.length = 0
    },
  }
  return gathered
}

const UNBOUNDED = { postings: Infinity }

/** Collects a list with new doc ids, without deleted posts. */
function gather({ segment, map, gathered }: Stream, entry: Entry): void {
  const rows = entry.layout === 'inline' ? 1 : entry.rows.length
  for (let row = 0; row < rows; row++) {
    const positions = entry.hasPositions
      ? new PositionReader(segment.details(entry, row), UNBOUNDED)
      : null
    eachPost(segment, entry, row, (old, index) => {
      const doc = map[old]!
      if (doc === DELETED) return
      if (!positions) return gathered.push(doc, 0)
      const { values, count } = positions.read(index)
      for (let i = 0; i < count; i++) gathered.push(doc, values[i]!)
    })
  }
}

function eachPost(
  segment: Segment,
  entry: Entry,
  row: number,
  visit: (doc: number, index: number) => void,
): void {
  const stored = segment.posts(entry, row)
  let index = 0
  if (entry.layout === 'bits') {
    const bits = readBits(stored)
    for (let bit = firstBit(bits, 0); bit >= 0; bit = firstBit(bits, bit + 1)) {
      visit(row * segment.sizes.rowDocs + bit, index++)
    }
    return
  }
  const blocks = readBlocks(stored)
  const block = new Uint32Array(Math.min(BLOCK, blocks.count))
  for (let b = 0; b < blocks.lasts.length; b++) {
    const count = decodeBlock(blocks, b, block)
    for (let i = 0; i < count; i++) visit(block[i]!, index++)
  }
}

function mergeGathered(streams: readonly Stream[], merged: Gathered): Gathered {
  merged.clear()
  const heads = streams.map(() => 0)
  for (;;) {
    let from = -1
    let least = DELETED
    for (let i = 0; i < streams.length; i++) {
      const { gathered } = streams[i]!
      const head = heads[i]!
      if (head < gathered.length && gathered.docs[head]! < least) {
        least = gathered.docs[head]!
        from = i
      }
    }
    if (from < 0) return merged
    const { gathered } = streams[from]!
    while (heads[from]! < gathered.length && gathered.docs[heads[from]!] === least) {
      merged.push(least, gathered.positions[heads[from]!++]!)
    }
  }
}
