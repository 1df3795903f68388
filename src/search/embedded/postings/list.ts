/**
 * A term's posts in a segment, by ordinal and so newest first; for a folded word also the places where it stands in each.
 * Written in blocks of 128 posts behind a table of their last ordinals, so that a reader in search of one post decodes
 * one block of each list.
 */
import { createBytes, createReader, type Bytes } from './bytes.ts'

export const BLOCK = 128

/** What a search may still decode. */
export interface Work {
  postings: number
}

/** Every time a term occurs, in order. Where places are not kept, one time for each post is enough. */
export interface Occurrences {
  readonly ords: ArrayLike<number>
  readonly places: ArrayLike<number> | null
}

// Used by one call at a time: nothing here waits for anything.
const head = createBytes()
const body = createBytes()
const placed = createBytes()

/** Writes the posts among the occurrences from `from` to `to`. */
export function encodeList(
  { ords, places }: Occurrences,
  from: number,
  to: number,
  intoPosts: Bytes,
  intoPlaces: Bytes,
): void {
  head.clear()
  body.clear()
  placed.clear()
  let count = 0
  let previous = -1
  let blockStart = -1
  let [bodyStart, placesStart, inBlock] = [0, 0, 0]
  for (let at = from; at < to;) {
    const ord = ords[at]!
    body.number(ord - previous)
    previous = ord
    let next = at + 1
    while (next < to && ords[next] === ord) next++
    if (places) encodePlaces(places, at, next)
    at = next
    count++
    if (++inBlock < BLOCK && at < to) continue
    head.number(ord - blockStart)
    head.number(body.length - bodyStart)
    if (places) head.number(placed.length - placesStart)
    ;[blockStart, bodyStart, placesStart, inBlock] = [ord, body.length, placed.length, 0]
  }
  intoPosts.number(count)
  intoPosts.append(head)
  intoPosts.append(body)
  if (places) intoPlaces.append(placed)
}

function encodePlaces(places: ArrayLike<number>, from: number, to: number): void {
  placed.number(to - from)
  let previous = 0
  for (let i = from; i < to; i++) {
    const gap = places[i]! - previous
    if (gap < 0) throw new Error(`places must ascend, found ${places[i]} after ${previous}`)
    placed.number(gap)
    previous = places[i]!
  }
}

/** Bytes of a list, or of its places, and where they begin. */
export interface Stored {
  readonly bytes: Uint8Array
  readonly at: number
}

/** An encoded list, its table of blocks read. */
export interface Blocks {
  readonly bytes: Uint8Array
  readonly count: number
  /** The last ordinal of each block, and where its bytes end. */
  readonly lasts: readonly number[]
  readonly ends: readonly number[]
  readonly placeEnds: readonly number[]
  /** Where the first block begins. */
  readonly start: number
}

const reader = createReader()

export function readBlocks(bytes: Uint8Array, from: number, hasPlaces: boolean): Blocks {
  reader.bytes = bytes
  reader.at = from
  const count = reader.number()
  const lasts: number[] = []
  const ends: number[] = []
  const placeEnds: number[] = []
  for (let left = count, last = -1, end = 0, placeEnd = 0; left > 0; left -= BLOCK) {
    lasts.push((last += reader.number()))
    ends.push((end += reader.number()))
    if (hasPlaces) placeEnds.push((placeEnd += reader.number()))
  }
  const start = reader.at
  for (let i = 0; i < ends.length; i++) ends[i]! += start
  return { bytes, count, lasts, ends, placeEnds, start }
}

/** Decodes one block into `into`; how many posts it has. */
export function decodeBlock(blocks: Blocks, block: number, into: Uint32Array): number {
  const { bytes } = blocks
  const count = Math.min(BLOCK, blocks.count - block * BLOCK)
  let at = block === 0 ? blocks.start : blocks.ends[block - 1]!
  let ord = block === 0 ? -1 : blocks.lasts[block - 1]!
  for (let i = 0; i < count; i++) {
    let gap = bytes[at++]!
    if (gap > 127) {
      let byte = gap
      gap &= 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        gap |= (byte & 127) << shift
      }
    }
    into[i] = ord += gap
  }
  return count
}

/** Where the word stands in a post, by its block and its place in that. Blocks and posts are asked for in order. */
export type PlaceReader = (block: number, index: number) => readonly number[]

/** Every place that is read or skipped is counted against `work`. */
export function readPlaces(blocks: Blocks, { bytes, at: start }: Stored, work: Work): PlaceReader {
  let openBlock = -1
  /** Of the block, the post whose places begin at `at`. */
  let next = 0
  let at = 0
  let places: number[] = []
  return (block, index) => {
    if (block !== openBlock) {
      openBlock = block
      next = 0
      at = start + (block === 0 ? 0 : blocks.placeEnds[block - 1]!)
    }
    if (next > index) return places
    for (; next < index; next++) {
      reader.bytes = bytes
      reader.at = at
      const skipped = reader.number()
      for (let left = skipped; left > 0; left--) reader.number()
      work.postings -= skipped
      at = reader.at
    }
    reader.bytes = bytes
    reader.at = at
    places = []
    for (let left = reader.number(), place = 0; left > 0; left--) {
      places.push((place += reader.number()))
    }
    work.postings -= places.length
    at = reader.at
    next++
    return places
  }
}
