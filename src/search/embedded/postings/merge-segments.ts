import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CHUNK, chunkColumns } from '../columns.ts'
import { slotOf } from '../rowid.ts'
import { chunkId } from '../schema.ts'
import { firstBit, readBits, rowsFor } from './bits.ts'
import { PlaceReader, timesAt } from './details.ts'
import { BLOCK, decodeBlock, readBlocks } from './list.ts'
import { loadSegment, type Entry, type Segment } from './segment.ts'
import type { Sizes } from './sizes.ts'
import { createSegmentWriter, takeSegmentId, type SegmentWriter } from './segment-writer.ts'

/** Several segments on their way to be one. */
export interface Merging {
  readonly sources: readonly number[]
  readonly isDone: boolean
  /** Merges terms for about so much work; how much it took. */
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

  function finish(): void {
    writer.finish()
    statement('update segment set is_serving = 0 where id in (select value from json_each(?))').run(
      JSON.stringify(ids),
    )
    // Readers look for segments again.
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
        used += PER_TERM + mergeTerm(writer, term, streams)
      }
      return used
    },
  }
  return merging
}

/** What a term costs beside its postings. */
const PER_TERM = 40

/** Whether the post of a slot is still there, as the columns tell. */
function createLiveness(
  statement: (sql: string) => StatementSync,
  bucket: number,
): (slot: number) => boolean {
  const read = statement('select data from chunk where id = ?')
  const chunks = new Map<number, Uint32Array>()
  return (slot) => {
    const chunk = Math.floor(slot / CHUNK)
    let numbers = chunks.get(chunk)
    if (!numbers) {
      const { number } = chunkColumns(read.get(chunkId(bucket, chunk))!['data'] as Uint8Array)
      chunks.set(chunk, (numbers = number.slice()))
    }
    return numbers[slot % CHUNK] !== 0
  }
}

const GONE = 2 ** 32 - 1

/** The posts of all that are still there, and where each segment's ordinals lead in them. */
function mergeRowids(
  segments: readonly Segment[],
  isLive: (slot: number) => boolean,
): { rowids: Float64Array; maps: Uint32Array[] } {
  const all = new Float64Array(segments.reduce((sum, { rowids }) => sum + rowids.length, 0))
  let count = 0
  for (const segment of segments) {
    for (let ord = 0; ord < segment.rowids.length; ord++) {
      const rowid = segment.rowids[ord]!
      if (isLive(slotOf(rowid))) all[count++] = rowid
    }
  }
  const rowids = all.slice(0, count).sort()
  const maps = segments.map((segment) => {
    const map = new Uint32Array(segment.rowids.length)
    let at = 0
    for (let ord = 0; ord < map.length; ord++) {
      const rowid = segment.rowids[ord]!
      while (at < rowids.length && rowids[at]! < rowid) at++
      map[ord] = rowids[at] === rowid ? at : GONE
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

/** How many postings it took. */
function mergeTerm(writer: SegmentWriter, term: string, streams: readonly Stream[]): number {
  let df = 0
  let postings = 0
  let lists = 0
  let hasPlaces = false
  for (const stream of streams) {
    stream.gathered.clear()
    if (stream.entry?.term !== term) continue
    df += stream.entry.df
    postings += stream.entry.count
    hasPlaces = stream.entry.details === 'places'
    gather(stream, stream.entry)
    stream.advance()
    lists++
  }
  const all =
    lists === 1 ? streams.find(({ gathered }) => gathered.length > 0)?.gathered : undefined
  const { ords, places, length } = all ?? mergeGathered(streams)
  writer.add(term, df, { ords, places: hasPlaces ? places : null }, 0, length)
  return postings
}

/** Occurrences as they are put together, in memory that is used again for the next term. */
interface Gathered {
  ords: Uint32Array
  places: Uint32Array
  length: number
  push(ord: number, place: number): void
  clear(): void
}

function createGathered(): Gathered {
  const gathered: Gathered = {
    ords: new Uint32Array(256),
    places: new Uint32Array(256),
    length: 0,
    push(ord, place) {
      if (gathered.length === gathered.ords.length) {
        gathered.ords = doubled(gathered.ords)
        gathered.places = doubled(gathered.places)
      }
      gathered.ords[gathered.length] = ord
      gathered.places[gathered.length++] = place
    },
    clear() {
      gathered.length = 0
    },
  }
  return gathered
}

function doubled(array: Uint32Array): Uint32Array {
  const grown = new Uint32Array(array.length * 2)
  grown.set(array)
  return grown
}

const UNBOUNDED = { postings: Infinity }
const block = new Uint32Array(BLOCK)

/** A list with its ordinals mapped, without posts that are gone. */
function gather({ segment, map, gathered }: Stream, entry: Entry): void {
  for (let row = 0; row < rowsOf(segment, entry); row++) {
    const details = entry.details ? segment.details(entry, row) : null
    const places = entry.details === 'places' ? new PlaceReader(details!, UNBOUNDED) : null
    eachPost(segment, entry, row, (old, index) => {
      const ord = map[old]!
      if (ord === GONE) return
      if (places) {
        const { values, count } = places.read(index)
        for (let i = 0; i < count; i++) gathered.push(ord, values[i]!)
      } else {
        for (let left = details ? timesAt(details, index) : 1; left > 0; left--) {
          gathered.push(ord, 0)
        }
      }
    })
  }
}

function rowsOf(segment: Segment, { layout, lasts }: Entry): number {
  return layout === 'inline'
    ? 1
    : layout === 'bits'
      ? rowsFor(segment.rowids.length, segment.sizes.rowOrds)
      : lasts.length
}

function eachPost(
  segment: Segment,
  entry: Entry,
  row: number,
  visit: (ord: number, index: number) => void,
): void {
  const stored = segment.posts(entry, row)
  let index = 0
  if (entry.layout === 'bits') {
    const bits = readBits(stored)
    for (let bit = firstBit(bits, 0); bit >= 0; bit = firstBit(bits, bit + 1)) {
      visit(row * segment.sizes.rowOrds + bit, index++)
    }
    return
  }
  const blocks = readBlocks(stored)
  for (let b = 0; b < blocks.lasts.length; b++) {
    const count = decodeBlock(blocks, b, block)
    for (let i = 0; i < count; i++) visit(block[i]!, index++)
  }
}

const merged = createGathered()

function mergeGathered(streams: readonly Stream[]): Gathered {
  merged.clear()
  const heads = streams.map(() => 0)
  for (;;) {
    let from = -1
    let least = GONE
    for (let i = 0; i < streams.length; i++) {
      const { gathered } = streams[i]!
      const head = heads[i]!
      if (head < gathered.length && gathered.ords[head]! < least) {
        least = gathered.ords[head]!
        from = i
      }
    }
    if (from < 0) return merged
    const { gathered } = streams[from]!
    while (heads[from]! < gathered.length && gathered.ords[heads[from]!] === least) {
      merged.push(least, gathered.places[heads[from]!++]!)
    }
  }
}
