/**
 * The posts of a term in a segment, by doc id and so newest first, written as gaps. They form blocks of 128 posts,
 * preceded by a table of the last doc id of each block, so that finding one post decodes one block. The last block is not
 * in the table: most lists have no other. Terms that many posts hold are stored as bits instead (bits.ts).
 */
import { ByteReader, type Bytes, type Scratch } from './bytes.ts'
import { END, type TermCursor } from './cursors.ts'
import { DetailReader, type Positions } from './details.ts'
import { BLOCK, READ_COST, type Budget, type Stored } from './layout.ts'
import type { Entry, Segment } from './segment.ts'

/** Every occurrence of a term, in order. */
export interface Occurrences {
  readonly docs: ArrayLike<number>
  readonly positions: ArrayLike<number> | null
}

/** Writes the posts of the occurrences from `from` to `to`. */
export function encodeGaps(
  docs: ArrayLike<number>,
  from: number,
  to: number,
  into: Bytes,
  { head, body }: Scratch,
): void {
  head.clear()
  body.clear()
  let previous = -1
  let blockStart = -1
  let [bodyStart, inBlock] = [0, 0]
  for (let at = from; at < to;) {
    const doc = docs[at++]!
    while (at < to && docs[at] === doc) at++
    body.number(doc - previous)
    previous = doc
    if (++inBlock < BLOCK || at === to) continue
    head.number(doc - blockStart)
    head.number(body.length - bodyStart)
    ;[blockStart, bodyStart, inBlock] = [doc, body.length, 0]
  }
  into.append(head)
  into.append(body)
}

/** An encoded list whose table of blocks has been read. */
interface Blocks {
  readonly bytes: Uint8Array
  readonly count: number
  /** The last doc id of each block; END for the last block, whose own is not known before it is decoded. */
  readonly lasts: readonly number[]
  /** Where each block starts. */
  readonly starts: readonly number[]
}

export function readBlocks({ bytes, at, posts }: Stored): Blocks {
  const reader = new ByteReader(bytes, at)
  const lasts: number[] = []
  const starts = [0]
  for (let left = posts, last = -1, end = 0; left > BLOCK; left -= BLOCK) {
    lasts.push((last += reader.number()))
    starts.push((end += reader.number()))
  }
  lasts.push(END)
  for (let i = 0; i < starts.length; i++) starts[i]! += reader.at
  return { bytes, count: posts, lasts, starts }
}

/** Decodes one block into `into`. Returns its number of posts. */
export function decodeBlock(blocks: Blocks, block: number, into: Uint32Array): number {
  const { bytes } = blocks
  const count = Math.min(BLOCK, blocks.count - block * BLOCK)
  let at = blocks.starts[block]!
  let doc = block === 0 ? -1 : blocks.lasts[block - 1]!
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
    into[i] = doc += gap
  }
  return count
}

/** What opening a list is charged in postings. */
const OPEN = 16

/** Shared by cursors of which only one is in use at a time: allocating a buffer takes longer than decoding most lists. */
const alone = new Uint32Array(BLOCK)

/** Visits a list of gaps. It ends when the budget is used up; what a search finds from then on is no match. */
export class GapsCursor implements TermCursor {
  at = -1
  readonly cost: number
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  readonly #details: DetailReader
  /** The current block, decoded, and the index in it. */
  readonly #buffer: Uint32Array
  #length = 0
  #index = 0
  #block = -1
  #part = -1
  #blocks: Blocks | undefined

  constructor(segment: Segment, entry: Entry, budget: Budget, isAlone: boolean) {
    this.cost = entry.count
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
    this.#details = new DetailReader(segment, entry, budget)
    budget.postings -= OPEN
    this.#buffer = isAlone ? alone : new Uint32Array(Math.min(BLOCK, entry.count))
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const buffer = this.#buffer
    const length = this.#length
    if (length === 0 || buffer[length - 1]! < target) {
      if (!this.#load(target)) return (this.at = END)
    }
    let index = this.#index
    // Mostly the next one is the target.
    for (let step = 1; buffer[index]! < target; step *= 2) {
      const next = index + step
      if (next < this.#length && buffer[next]! < target) index = next
      else {
        index++
        step = 1 / 2
      }
    }
    this.#index = index
    return (this.at = buffer[index]!)
  }

  positions(): Positions {
    return this.#details.positions(this.#part, this.#block * BLOCK + this.#index)
  }

  addTo(bits: Uint32Array, start: number): void {
    const end = start + bits.length * 32
    for (let at = this.seek(start); at < end; at = this.seek(at + 1)) {
      bits[(at - start) >>> 5]! |= 1 << (at - start)
    }
  }

  /** Loads the block with the first post at or after `target`; false if there is none. */
  #load(target: number): boolean {
    const { layout, lasts, count } = this.#entry
    const part = layout === 'gaps' ? firstFrom(lasts, target, Math.max(0, this.#part)) : 0
    if (count === 0 || (layout === 'gaps' && part === lasts.length)) return false
    if (part !== this.#part) {
      this.#part = part
      this.#blocks = readBlocks(this.#segment.posts(this.#entry, part))
      this.#block = -1
      if (layout === 'gaps') this.#budget.postings -= READ_COST
    }
    if (this.#budget.postings < 0) return false
    const block = firstFrom(this.#blocks!.lasts, target, Math.max(0, this.#block))
    if (block !== this.#block) {
      this.#block = block
      this.#length = decodeBlock(this.#blocks!, block, this.#buffer)
      this.#index = 0
      this.#budget.postings -= this.#length
    }
    return this.#buffer[this.#length - 1]! >= target
  }
}

/** The first index at or after `from` whose value is at least `target`. */
function firstFrom(values: readonly number[], target: number, from: number): number {
  if (from >= values.length || values[from]! >= target) return from
  let [low, high] = [from + 1, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < target) low = middle + 1
    else high = middle
  }
  return low
}
