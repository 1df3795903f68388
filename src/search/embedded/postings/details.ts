/**
 * What is kept of each post of a list, beside the list since few searches ask: of a folded word the places where it
 * stands, of anything else how often it occurs where that is more than once in any post.
 */
import { createBytes, createReader, type Bytes } from './bytes.ts'
import { BLOCK, READ, type Stored, type Budget } from './list.ts'
import type { Entry, Segment } from './segment.ts'

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

/** Where a word stands in a post, ascending: the first `count` of `values`. */
export interface Places {
  readonly values: Uint32Array
  readonly count: number
}

const reader = createReader()

/** What a term's list says beside its posts, row by row. A class, as cursors are and for their reason. */
export class DetailReader {
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  #row = -1
  #places: PlaceReader | undefined
  #times: Stored | undefined

  constructor(segment: Segment, entry: Entry, budget: Budget) {
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
  }

  /** Where the word stands in the post at a place of the row. Posts are asked for in order. */
  places(row: number, index: number): Places {
    if (row !== this.#row || !this.#places) {
      this.#places = new PlaceReader(this.#read(row), this.#budget)
    }
    return this.#places.read(index)
  }

  /** How often the term occurs in the post at a place of the row, up to MANY_TIMES. */
  times(row: number, index: number): number {
    if (this.#entry.details === null) return 1
    if (this.#entry.details === 'places') return this.places(row, index).count
    if (row !== this.#row || !this.#times) this.#times = this.#read(row)
    return timesAt(this.#times, index)
  }

  #read(row: number): Stored {
    const stored = this.#segment.details(this.#entry, row)
    this.#row = row
    if (this.#entry.layout !== 'inline') this.#budget.postings -= READ + stored.bytes.length / BYTES
    return stored
  }
}

/** Bytes of a row that cost as much to read as a posting to decode. */
const BYTES = 16

/** Reads the places of one post after the other. */
export class PlaceReader implements Places {
  values = new Uint32Array(8)
  count = 0
  readonly #bytes: Uint8Array
  readonly #budget: Budget
  readonly #lengths: number[] = []
  #block = 0
  #blockStart: number
  /** The post whose places begin at `at`. */
  #next = 0
  #at: number

  /** Every place that is read or skipped is counted against `budget`. */
  constructor({ bytes, at }: Stored, budget: Budget) {
    reader.bytes = bytes
    reader.at = at
    for (let left = reader.number(); left > 0; left--) this.#lengths.push(reader.number())
    this.#bytes = bytes
    this.#budget = budget
    this.#at = this.#blockStart = reader.at
  }

  /** Of the post at a place of the list. Posts are asked for in order, each as often as you like. */
  read(index: number): Places {
    if (this.#next > index) return this
    if (this.#next < index) this.#skipTo(index)
    const bytes = this.#bytes
    const count = this.#readCount()
    if (count > this.values.length) this.values = new Uint32Array(count * 2)
    const { values } = this
    let at = this.#at
    for (let i = 0, place = 0; i < count; i++) {
      let byte = bytes[at++]!
      let gap = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        gap |= (byte & 127) << shift
      }
      values[i] = place += gap
    }
    this.#at = at
    this.#budget.postings -= count
    this.count = count
    this.#next++
    return this
  }

  #skipTo(index: number): void {
    const block = Math.floor(index / BLOCK)
    if (this.#block < block) {
      while (this.#block < block) this.#blockStart += this.#lengths[this.#block++]!
      this.#next = block * BLOCK
      this.#at = this.#blockStart
    }
    const bytes = this.#bytes
    for (; this.#next < index; this.#next++) {
      const count = this.#readCount()
      let at = this.#at
      for (let left = count; left > 0; left--) while (bytes[at++]! > 127);
      this.#at = at
      this.#budget.postings -= count
    }
  }

  #readCount(): number {
    const count = this.#bytes[this.#at]!
    if (count < 128) {
      this.#at++
      return count
    }
    reader.bytes = this.#bytes
    reader.at = this.#at
    const large = reader.number()
    this.#at = reader.at
    return large
  }
}
