/**
 * What is kept of each post of a list, beside the list since few searches ask: of a folded word the places where it
 * stands, of anything else how often it occurs where that is more than once in any post.
 */
import { createBytes, createReader, type Bytes } from './bytes.ts'
import { BLOCK, type Stored, type Work } from './list.ts'

export type Details = 'places' | 'times' | null

/** How often is told up to here; this stands for more as well. */
export const MANY_TIMES = 4

// Used by one call at a time: nothing here waits for anything.
const head = createBytes()
const body = createBytes()

/** Block by block, behind a table of the blocks' lengths. */
export function encodePlaces(
  ords: ArrayLike<number>,
  places: ArrayLike<number>,
  from: number,
  to: number,
  into: Bytes,
): void {
  head.clear()
  body.clear()
  let [blocks, blockStart, inBlock] = [0, 0, 0]
  for (let at = from; at < to;) {
    const start = at
    while (++at < to && ords[at] === ords[start]);
    body.number(at - start)
    for (let i = start, previous = 0; i < at; i++) {
      const gap = places[i]! - previous
      if (gap < 0) throw new Error(`places must ascend, found ${places[i]} after ${previous}`)
      body.number(gap)
      previous = places[i]!
    }
    if (++inBlock < BLOCK && at < to) continue
    head.number(body.length - blockStart)
    blocks++
    ;[blockStart, inBlock] = [body.length, 0]
  }
  into.number(blocks)
  into.append(head)
  into.append(body)
}

/** Two bits a post. */
export function encodeTimes(ords: ArrayLike<number>, from: number, to: number, into: Bytes): void {
  let [packed, filled] = [0, 0]
  for (let at = from; at < to;) {
    const start = at
    while (++at < to && ords[at] === ords[start]);
    packed |= (Math.min(at - start, MANY_TIMES) - 1) << (2 * filled)
    if (++filled < 4 && at < to) continue
    into.byte(packed)
    ;[packed, filled] = [0, 0]
  }
}

/** How often the term occurs in the post at a place of the list. */
export function timesAt({ bytes, at }: Stored, index: number): number {
  return ((bytes[at + (index >> 2)]! >> (2 * (index & 3))) & 3) + 1
}

/** Where the word stands in the post at a place of the list, until it is asked again. Posts are asked for in order. */
export type PlaceReader = (index: number) => readonly number[]

const reader = createReader()

/** Every place that is read or skipped is counted against `work`. */
export function readPlaces({ bytes, at: from }: Stored, work: Work): PlaceReader {
  reader.bytes = bytes
  reader.at = from
  const lengths: number[] = []
  for (let left = reader.number(); left > 0; left--) lengths.push(reader.number())
  /** The post whose places begin at `at`. */
  let next = 0
  let at = reader.at
  let blockStart = at
  let block = 0
  const places: number[] = []

  function skipTo(index: number): void {
    const wanted = Math.floor(index / BLOCK)
    if (block < wanted) {
      while (block < wanted) blockStart += lengths[block++]!
      next = block * BLOCK
      at = blockStart
    }
    let skipped = 0
    for (; next < index; next++) {
      let left = bytes[at++]!
      if (left > 127) {
        reader.bytes = bytes
        reader.at = at - 1
        left = reader.number()
        at = reader.at
      }
      skipped += left
      for (; left > 0; left--) while (bytes[at++]! > 127);
    }
    work.postings -= skipped
  }

  return (index) => {
    if (next > index) return places
    if (next < index) skipTo(index)
    reader.bytes = bytes
    reader.at = at
    places.length = 0
    for (let left = reader.number(), place = 0; left > 0; left--) {
      places.push((place += reader.number()))
    }
    work.postings -= places.length
    at = reader.at
    next++
    return places
  }
}
