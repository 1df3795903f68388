import { END, type Cursor } from './cursors.ts'
import type { Work } from './list.ts'
import { SIZES } from './sizes.ts'

/** What is known of the posts of a segment that match an expression, from the newest on. It only ever grows. */
export class Known {
  ords = new Uint32Array(16)
  count = 0
  /** All matches before this ordinal are known. */
  upTo = 0
  /** What finding them took, in postings decoded. */
  work = 0

  /** The place of the first match from `target` on, at or behind `index`. */
  from(target: number, index: number): number {
    // Mostly the next one is it.
    if (index === this.count || this.ords[index]! >= target) return index
    let [low, high] = [index + 1, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.ords[middle]! < target) low = middle + 1
      else high = middle
    }
    return low
  }

  /** One more match, and that there is none between it and what was known. */
  add(ord: number): void {
    if (this.count === this.ords.length) {
      const grown = new Uint32Array(this.count * 2)
      grown.set(this.ords)
      this.ords = grown
    }
    this.ords[this.count++] = ord
    this.upTo = ord + 1
  }
}

/** Through what is known, and then on with a cursor that is opened once it is needed. What it finds is known from then on. */
export class KnownCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #known: Known
  readonly #work: Work
  readonly #open: () => Cursor
  /** What passing a known match costs: as much as finding it did, so that an answer does not depend on who asked before. */
  readonly #step: number
  #index = -1
  #rest: Cursor | undefined

  constructor(
    known: Known,
    { posts, work }: { readonly posts: number; readonly work: Work },
    open: () => Cursor,
  ) {
    this.cost = posts
    this.#known = known
    this.#open = open
    this.#work = work
    this.#step = known.work / (known.count + 1)
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const known = this.#known
    if (target < known.upTo) {
      const index = known.from(target, Math.max(0, this.#index))
      this.#work.postings -= this.#step * (index - this.#index)
      this.#index = index
      if (this.#work.postings < 0) return (this.at = END)
      if (index < known.count) return (this.at = known.ords[index]!)
    }
    return (this.at = this.#goOn(Math.max(target, known.upTo)))
  }

  #goOn(target: number): number {
    if (target >= END) return END
    const known = this.#known
    const before = this.#work.postings
    this.#rest ??= this.#open()
    const at = this.#rest.seek(target)
    const left = this.#work.postings
    // Behind a gap, or where the work was used up, nothing is known.
    if (target > known.upTo || left < 0 || known.count >= SIZES.known) return at
    known.work += before - left
    if (at === END) known.upTo = END
    else known.add(at)
    return at
  }
}
