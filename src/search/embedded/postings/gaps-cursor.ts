import { END, type TermCursor } from './cursors.ts'
import { DetailReader, type Places } from './details.ts'
import { BLOCK, decodeBlock, READ, readBlocks, type Blocks, type Budget } from './list.ts'
import type { Entry, Segment } from './segment.ts'

/** What opening a list costs, in postings decoded. */
const OPEN = 16

/** Through a list of gaps. Where the budget is used up it ends, and what a search finds from then on is no match. */
export class GapsCursor implements TermCursor {
  at = -1
  readonly cost: number
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #budget: Budget
  readonly #details: DetailReader
  /** The block it is in, decoded, and its place there. */
  readonly #buffer: Uint32Array
  #length = 0
  #index = 0
  #block = -1
  #part = -1
  #blocks: Blocks | undefined

  constructor(segment: Segment, entry: Entry, budget: Budget) {
    this.cost = entry.count
    this.#segment = segment
    this.#entry = entry
    this.#budget = budget
    this.#details = new DetailReader(segment, entry, budget)
    budget.postings -= OPEN
    this.#buffer = new Uint32Array(Math.min(BLOCK, entry.count))
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const buffer = this.#buffer
    const length = this.#length
    if (length === 0 || buffer[length - 1]! < target) {
      if (!this.#load(target)) return (this.at = END)
    }
    let index = this.#index
    // Mostly the next one is it.
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

  places(): Places {
    return this.#details.places(this.#part, this.#block * BLOCK + this.#index)
  }

  times(): number {
    return this.#details.times(this.#part, this.#block * BLOCK + this.#index)
  }

  lay(bits: Uint32Array, start: number): void {
    const end = start + bits.length * 32
    for (let at = this.seek(start); at < end; at = this.seek(at + 1)) {
      bits[(at - start) >>> 5]! |= 1 << (at - start)
    }
  }

  /** The block that has the first post from `target` on; false when there is none. */
  #load(target: number): boolean {
    const { layout, lasts, count } = this.#entry
    const part = layout === 'parts' ? firstFrom(lasts, target, Math.max(0, this.#part)) : 0
    if (count === 0 || (layout === 'parts' && part === lasts.length)) return false
    if (part !== this.#part) {
      this.#part = part
      this.#blocks = readBlocks(this.#segment.posts(this.#entry, part))
      this.#block = -1
      if (layout === 'parts') this.#budget.postings -= READ
    }
    const block = firstFrom(this.#blocks!.lasts, target, Math.max(0, this.#block))
    if (block === this.#blocks!.lasts.length || this.#budget.postings < 0) return false
    this.#block = block
    this.#length = decodeBlock(this.#blocks!, block, this.#buffer)
    this.#index = 0
    this.#budget.postings -= this.#length
    return true
  }
}

/** The first place from `from` on whose value is `target` or more. */
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
