/**
 * Posts as bits, for a term that many posts of a segment hold: at most twice as large as gaps, and a post can be tested
 * without decoding others. Every row covers the same number of doc ids, however many bits are set.
 */
import type { Bytes } from './bytes.ts'
import { END, STEP_COST, type Cursor, type TermCursor } from './cursors.ts'
import { DetailReader, type Positions } from './details.ts'
import { READ_COST, type Budget, type Stored } from './layout.ts'
import type { Entry, Segment } from './segment.ts'

/** Whether a term that `count` of the posts hold is stored as bits. */
export function isDense(count: number, posts: number): boolean {
  return count * 16 >= posts
}

export function rowsFor(posts: number, rowDocs: number): number {
  return Math.ceil(posts / rowDocs)
}

/** Writes the row of bits that starts at doc id `start`; `posts` is the number of doc ids in the segment. */
export function encodeBits(
  docs: ArrayLike<number>,
  from: number,
  to: number,
  row: { readonly start: number; readonly posts: number; readonly rowDocs: number },
  into: Bytes,
): void {
  const bits = new Uint32Array(Math.ceil(Math.min(row.rowDocs, row.posts - row.start) / 32))
  for (let at = from; at < to; at++) {
    const bit = docs[at]! - row.start
    bits[bit >>> 5]! |= 1 << (bit & 31)
  }
  into.copy(new Uint8Array(bits.buffer))
}

/** A view of the same memory if it is aligned, as SQLite's results are; otherwise a copy. */
export function readBits({ bytes, at }: Stored): Uint32Array {
  const aligned = (bytes.byteOffset + at) % 4 === 0 ? bytes : bytes.slice(at)
  const offset = aligned === bytes ? bytes.byteOffset + at : 0
  return new Uint32Array(aligned.buffer as ArrayBuffer, offset, (bytes.length - at) >> 2)
}

/** The first set bit at or after `from`; -1 if there is none. */
export function firstBit(bits: Uint32Array, from: number): number {
  let word = from >>> 5
  if (word >= bits.length) return -1
  let left = bits[word]! & (-1 << (from & 31))
  while (left === 0) {
    if (++word === bits.length) return -1
    left = bits[word]!
  }
  return (word << 5) + 31 - Math.clz32(left & -left)
}

function countBits(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** What adding 32 bits to a union is charged in postings. */
const PER_WORD = 1 / 4

const NO_BITS: Uint32Array = new Uint32Array(0)

/** Visits the posts of a term that many posts hold. It ends when the budget is used up. */
export class BitsCursor implements TermCursor {
  at = -1
  readonly cost: number
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  readonly #details: DetailReader
  readonly #rows: number
  readonly #rowDocs: number
  #row = -1
  #start: number
  #bits = NO_BITS
  /** How many words of the row have been counted, and how many posts they hold. */
  #counted = 0
  #before = 0

  constructor(segment: Segment, entry: Entry, budget: Budget) {
    this.cost = entry.count
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
    this.#details = new DetailReader(segment, entry, budget)
    this.#rowDocs = segment.sizes.rowDocs
    this.#start = -segment.sizes.rowDocs
    this.#rows = rowsFor(segment.rowids.length, segment.sizes.rowDocs)
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    if ((this.#budget.postings -= STEP_COST) < 0) return (this.at = END)
    for (let from = target; from < END; from = this.#start + this.#rowDocs) {
      if (from >= this.#start + this.#rowDocs && !this.#load(from)) break
      const bit = firstBit(this.#bits, from - this.#start)
      if (bit >= 0) return (this.at = this.#start + bit)
    }
    return (this.at = END)
  }

  positions(): Positions {
    return this.#details.positions(this.#row, this.#index())
  }

  addTo(bits: Uint32Array, start: number): void {
    if (start >= this.#start + this.#rowDocs && !this.#load(start)) return
    this.#budget.postings -= bits.length * PER_WORD
    const from = (start - this.#start) >>> 5
    const own = this.#bits
    const length = Math.min(bits.length, own.length - from)
    for (let i = 0; i < length; i++) bits[i]! |= own[from + i]!
  }

  /** How many posts of the row come before the current one. */
  #index(): number {
    const bits = this.#bits
    const bit = this.at - this.#start
    for (const word = bit >>> 5; this.#counted < word; this.#counted++) {
      this.#before += countBits(bits[this.#counted]!)
    }
    return this.#before + countBits(bits[bit >>> 5]! & ~(-1 << (bit & 31)))
  }

  /** Loads the row of this doc id; false if there is none. */
  #load(doc: number): boolean {
    const row = Math.floor(doc / this.#rowDocs)
    if (row >= this.#rows || this.#budget.postings < 0) return false
    this.#row = row
    this.#start = row * this.#rowDocs
    this.#bits = readBits(this.#segment.posts(this.#entry, row))
    this.#counted = 0
    this.#before = 0
    this.#budget.postings -= READ_COST
    return true
  }
}

/** The union of many cursors, as bits: comparing that many with one another at every step would cost more. */
export class BitsetUnionCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #parts: readonly Cursor[]
  readonly #posts: number
  readonly #window: number
  readonly #bits: Uint32Array
  #start: number

  constructor(parts: readonly Cursor[], cost: number, { rowids, sizes }: Segment) {
    this.cost = cost
    this.#parts = parts
    this.#posts = rowids.length
    this.#window = sizes.window
    this.#bits = new Uint32Array(sizes.window / 32)
    this.#start = -sizes.window
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    for (let from = target; from < this.#posts; from = this.#start + this.#window) {
      if (from >= this.#start + this.#window) this.#fill(from - (from % this.#window))
      const bit = firstBit(this.#bits, from - this.#start)
      if (bit >= 0) return (this.at = this.#start + bit)
    }
    return (this.at = END)
  }

  #fill(start: number): void {
    const bits = this.#bits
    bits.fill(0)
    for (const part of this.#parts) {
      if (isOfTerm(part)) part.addTo(bits, start)
      else {
        for (let at = part.seek(start); at < start + this.#window; at = part.seek(at + 1)) {
          bits[(at - start) >> 5]! |= 1 << (at & 31)
        }
      }
    }
    this.#start = start
  }
}

function isOfTerm(cursor: Cursor): cursor is TermCursor {
  return 'addTo' in cursor
}
