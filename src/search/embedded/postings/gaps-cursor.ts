import { END, type Cursor } from './cursors.ts'
import {
  BLOCK,
  decodeBlock,
  readBlocks,
  readPlaces,
  type Blocks,
  type PlaceReader,
  type Work,
} from './list.ts'
import type { Entry, Segment } from './segment.ts'

/** What opening a list costs, in postings decoded, and what reading a row of it does. */
const OPEN = 16
const READ = 512

/** Through one term's posts. Where the work is used up it ends, and what a search finds from then on is no match. */
export class ListCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #segment: Segment
  readonly #entry: Entry
  readonly #work: Work
  /** The block it is in, decoded, and its place there. */
  readonly #buffer: Uint32Array
  #length = 0
  #index = 0
  #block = -1
  #part = -1
  #blocks: Blocks | undefined
  #places: PlaceReader | undefined

  constructor(segment: Segment, entry: Entry, work: Work) {
    this.cost = entry.count
    this.#segment = segment
    this.#entry = entry
    this.#work = work
    work.postings -= OPEN
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

  /** Where the word stands in the post it is at. */
  places(): readonly number[] {
    this.#places ??= readPlaces(
      this.#blocks!,
      this.#segment.places(this.#entry, this.#part),
      this.#work,
    )
    return this.#places(this.#block, this.#index)
  }

  /** The block that has the first post from `target` on; false when there is none. */
  #load(target: number): boolean {
    const { lasts, count, hasPlaces } = this.#entry
    const part = lasts ? firstFrom(lasts, target, Math.max(0, this.#part)) : 0
    if (count === 0 || (lasts && part === lasts.length)) return false
    if (part !== this.#part) {
      const { bytes, at } = this.#segment.posts(this.#entry, part)
      this.#part = part
      this.#blocks = readBlocks(bytes, at, hasPlaces)
      this.#block = -1
      this.#places = undefined
      if (lasts) this.#work.postings -= READ
    }
    const block = firstFrom(this.#blocks!.lasts, target, Math.max(0, this.#block))
    if (block === this.#blocks!.lasts.length || this.#work.postings < 0) return false
    this.#block = block
    this.#length = decodeBlock(this.#blocks!, block, this.#buffer)
    this.#index = 0
    this.#work.postings -= this.#length
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
