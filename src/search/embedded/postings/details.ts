/** The positions of a word or stem, kept apart from the doc ids of its list, since phrases and the ranker alone need them. */
import { ByteReader, type Bytes, type Scratch } from './bytes.ts'
import { BLOCK, READ, type Budget, type Stored } from './layout.ts'
import type { Entry, Segment } from './segment.ts'

/** Block by block, behind a table of the blocks' lengths. */
export function encodePositions(
  docs: ArrayLike<number>,
  positions: ArrayLike<number>,
  from: number,
  to: number,
  into: Bytes,
  { head, body }: Scratch,
): void {
  head.clear()
  body.clear()
  let [blocks, blockStart, inBlock] = [0, 0, 0]
  for (let at = from; at < to;) {
    const start = at
    while (++at < to && docs[at] === docs[start]);
    body.number(at - start)
    for (let i = start, previous = 0; i < at; i++) {
      const gap = positions[i]! - previous
      if (gap < 0) throw new Error(`positions must ascend, found ${positions[i]} after ${previous}`)
      body.number(gap)
      previous = positions[i]!
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

/** The positions of a word in a post, ascending: the first `count` of `values`. */
export interface Positions {
  readonly values: Uint32Array
  readonly count: number
}

/** Reads the details of a term, row by row. A class, as cursors are. */
export class DetailReader {
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  #row = -1
  #positions: PositionReader | undefined

  constructor(segment: Segment, entry: Entry, budget: Budget) {
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
  }

  /** The positions in the post at an index of the row. Indexes must ascend. */
  positions(row: number, index: number): Positions {
    if (row !== this.#row || !this.#positions) {
      this.#positions = new PositionReader(this.#read(row), this.#budget)
    }
    return this.#positions.read(index)
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

/** Reads the positions of one post after another. */
export class PositionReader implements Positions {
  values = new Uint32Array(8)
  count = 0
  readonly #bytes: Uint8Array
  readonly #budget: Budget
  readonly #lengths: number[] = []
  #block = 0
  #blockStart: number
  /** The post whose positions begin at `at`. */
  #next = 0
  #at: number

  /** Every position that is read or skipped is charged to `budget`. */
  constructor({ bytes, at }: Stored, budget: Budget) {
    const reader = new ByteReader(bytes, at)
    for (let left = reader.number(); left > 0; left--) this.#lengths.push(reader.number())
    this.#bytes = bytes
    this.#budget = budget
    this.#at = this.#blockStart = reader.at
  }

  /** The positions in the post at an index of the row. Indexes must not descend. */
  read(index: number): Positions {
    if (this.#next > index) return this
    if (this.#next < index) this.#skipTo(index)
    const bytes = this.#bytes
    const count = this.#readCount()
    if (count > this.values.length) this.values = new Uint32Array(count * 2)
    const { values } = this
    let at = this.#at
    for (let i = 0, position = 0; i < count; i++) {
      let byte = bytes[at++]!
      let gap = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        gap |= (byte & 127) << shift
      }
      values[i] = position += gap
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
    const reader = new ByteReader(this.#bytes, this.#at)
    const large = reader.number()
    this.#at = reader.at
    return large
  }
}
