/**
 * A term's posts in a segment, by ordinal and so newest first; for a folded word also the places where it stands in each.
 * Written in blocks of 128 posts behind a table of their last ordinals, so that a reader in search of one post decodes
 * one block of each list.
 */
import { createBytes, createReader, type Bytes } from './bytes.ts'

export const BLOCK = 128

/** Every time a term occurs, in order. Where places are not kept, one time for each post is enough. */
export interface Occurrences {
  readonly ords: ArrayLike<number>
  readonly places: ArrayLike<number> | null
}

const head = createBytes()
const body = createBytes()
const placed = createBytes()

/** Writes the posts among the occurrences from `from` to `to`, of which there are `count`. */
export function encodeList(
  { ords, places }: Occurrences,
  [from, to, count]: readonly [number, number, number],
  intoPosts: Bytes,
  intoPlaces: Bytes,
): void {
  head.clear()
  body.clear()
  placed.clear()
  head.number(count)
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
    if (++inBlock < BLOCK && at < to) continue
    head.number(ord - blockStart)
    head.number(body.length - bodyStart)
    if (places) head.number(placed.length - placesStart)
    ;[blockStart, bodyStart, placesStart, inBlock] = [ord, body.length, placed.length, 0]
  }
  intoPosts.append(head)
  intoPosts.append(body)
  if (places) intoPlaces.append(placed)
}

function encodePlaces(places: ArrayLike<number>, from: number, to: number): void {
  placed.number(to - from)
  let previous = 0
  for (let i = from; i < to; i++) {
    placed.number(places[i]! - previous)
    previous = places[i]!
  }
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
    let byte = bytes[at++]!
    let gap = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      gap |= (byte & 127) << shift
    }
    into[i] = ord += gap
  }
  return count
}

/** Where a word stands, for the posts of one block. */
export interface Places {
  /** All of them, and where each post's end. */
  readonly all: number[]
  readonly ends: number[]
}

/** `from`: where the places of the whole list begin. */
export function decodePlaces(
  blocks: Blocks,
  bytes: Uint8Array,
  from: number,
  block: number,
): Places {
  reader.bytes = bytes
  reader.at = from + (block === 0 ? 0 : blocks.placeEnds[block - 1]!)
  const all: number[] = []
  const ends: number[] = []
  const count = Math.min(BLOCK, blocks.count - block * BLOCK)
  for (let i = 0; i < count; i++) {
    let place = 0
    for (let left = reader.number(); left > 0; left--) all.push((place += reader.number()))
    ends.push(all.length)
  }
  return { all, ends }
}
