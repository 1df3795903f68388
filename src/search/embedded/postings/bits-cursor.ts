import { countBits, firstBit, readBits, rowsFor } from './bits.ts'
import { END, STEP, type TermCursor } from './cursors.ts'
import { DetailReader, type Places } from './details.ts'
import { READ, type Budget } from './list.ts'
import type { Entry, Segment } from './segment.ts'

/** What laying 32 posts over others costs, in postings decoded. */
const LAID = 1 / 4

const NO_BITS: Uint32Array = new Uint32Array(0)

/** Through a term that many posts hold. Where the budget is used up it ends. */
export class BitsCursor implements TermCursor {
  at = -1
  readonly cost: number
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  readonly #details: DetailReader
  readonly #rows: number
  readonly #rowOrds: number
  #row = -1
  #start: number
  #bits = NO_BITS
  /** How many of the row's first words were counted, and the posts in them. */
  #counted = 0
  #before = 0

  constructor(segment: Segment, entry: Entry, budget: Budget) {
    this.cost = entry.count
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
    this.#details = new DetailReader(segment, entry, budget)
    this.#rowOrds = segment.sizes.rowOrds
    this.#start = -segment.sizes.rowOrds
    this.#rows = rowsFor(segment.rowids.length, segment.sizes.rowOrds)
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    if ((this.#budget.postings -= STEP) < 0) return (this.at = END)
    for (let from = target; from < END; from = this.#start + this.#rowOrds) {
      if (from >= this.#start + this.#rowOrds && !this.#load(from)) break
      const bit = firstBit(this.#bits, from - this.#start)
      if (bit >= 0) return (this.at = this.#start + bit)
    }
    return (this.at = END)
  }

  places(): Places {
    return this.#details.places(this.#row, this.#index())
  }

  times(): number {
    return this.#details.times(this.#row, this.#index())
  }

  lay(bits: Uint32Array, start: number): void {
    if (start >= this.#start + this.#rowOrds && !this.#load(start)) return
    this.#budget.postings -= bits.length * LAID
    const from = (start - this.#start) >>> 5
    const own = this.#bits
    const length = Math.min(bits.length, own.length - from)
    for (let i = 0; i < length; i++) bits[i]! |= own[from + i]!
  }

  /** How many posts of the row come before the one it is at. */
  #index(): number {
    const bits = this.#bits
    const bit = this.at - this.#start
    for (const word = bit >>> 5; this.#counted < word; this.#counted++) {
      this.#before += countBits(bits[this.#counted]!)
    }
    return this.#before + countBits(bits[bit >>> 5]! & ~(-1 << (bit & 31)))
  }

  /** The row of this ordinal; false when there is none. */
  #load(ord: number): boolean {
    const row = Math.floor(ord / this.#rowOrds)
    if (row >= this.#rows || this.#budget.postings < 0) return false
    this.#row = row
    this.#start = row * this.#rowOrds
    this.#bits = readBits(this.#segment.posts(this.#entry, row))
    this.#counted = 0
    this.#before = 0
    this.#budget.postings -= READ
    return true
  }
}
