/** The positions of a word or stem, stored apart from its doc ids, since only phrases and the ranker need them. */
import { ByteReader, doubled, type Bytes, type Scratch } from './bytes.ts'
import { BLOCK, READ_COST, type Budget, type Stored } from './layout.ts'
import type { Entry, Segment } from './segment.ts'

/**
 * Writes blocks of 128 posts, preceded by a table with the lengths of all blocks but the last. Each position is written
 * as a gap, doubled, plus one if another position of the same post follows: most words occur once in a post, so no count
 * is stored.
 */
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
  let [blockStart, inBlock, previous] = [0, 0, 0]
  for (let at = from; at < to; at++) {
    const gap = positions[at]! - previous
    if (gap < 0) throw new Error(`positions must ascend, found ${positions[at]} after ${previous}`)
    const isFollowed = at + 1 < to && docs[at + 1] === docs[at]
    body.number(gap * 2 + (isFollowed ? 1 : 0))
    previous = isFollowed ? positions[at]! : 0
    if (isFollowed || ++inBlock < BLOCK || at + 1 === to) continue
    head.number(body.length - blockStart)
    ;[blockStart, inBlock] = [body.length, 0]
  }
  into.append(head)
  into.append(body)
}

/** The positions of a word in a post, in ascending order: the first `count` of `values`. */
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

  /** The positions in the post at `index` of the row. Indexes must ascend. */
  positions(row: number, index: number): Positions {
    if (row !== this.#row || !this.#positions) {
      this.#positions = new PositionReader(this.#read(row), this.#budget)
    }
    return this.#positions.read(index)
  }

  #read(row: number): Stored {
    const stored = this.#segment.details(this.#entry, row)
    this.#row = row
    if (this.#entry.layout !== 'inline')
      this.#budget.postings -= READ_COST + stored.bytes.length / BYTES
    return stored
  }
}

/** Reading this many bytes of a row is charged as one posting. */
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
  /** The index of the post whose positions start at `#at`. */
  #next = 0
  #at: number

  /** Every position that is read or skipped is charged to `budget`. */
  constructor({ bytes, at, posts }: Stored, budget: Budget) {
    const reader = new ByteReader(bytes, at)
    for (let left = posts; left > BLOCK; left -= BLOCK) this.#lengths.push(reader.number())
    this.#bytes = bytes
    this.#budget = budget
    this.#at = this.#blockStart = reader.at
  }

  /** The positions in the post at `index` of the row. Indexes must not descend. */
  read(index: number): Positions {
    if (this.#next > index) return this
    if (this.#next < index) this.#skipTo(index)
    const bytes = this.#bytes
    let at = this.#at
    let count = 0
    for (let position = 0, isFollowed = true; isFollowed; count++) {
      let byte = bytes[at++]!
      isFollowed = (byte & 1) === 1
      let gap = (byte & 127) >> 1
      for (let shift = 6; byte > 127; shift += 7) {
        byte = bytes[at++]!
        gap |= (byte & 127) << shift
      }
      if (count === this.values.length) this.values = doubled(this.values)
      this.values[count] = position += gap
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
    let at = this.#at
    for (let left = index - this.#next; left > 0; this.#budget.postings--) {
      if ((bytes[at]! & 1) === 0) left--
      while (bytes[at++]! > 127);
    }
    this.#at = at
    this.#next = index
  }
}
