import { END, type Cursor, type TermCursor } from './cursors.ts'
import type { Places } from './details.ts'
import type { Budget } from './list.ts'

/** Posts in which words stand one after the other. */
export class PhraseCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #all: Cursor
  readonly #words: readonly TermCursor[]
  readonly #budget: Budget

  /** `all` leads to the posts that hold every one of `words`, and moves them. */
  constructor(all: Cursor, words: readonly TermCursor[], budget: Budget) {
    this.cost = all.cost
    this.#all = all
    this.#words = words
    this.#budget = budget
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#all.seek(target)
    while (at < END && !isAdjacent(this.#words)) {
      at = this.#budget.postings < 0 ? END : this.#all.seek(at + 1)
    }
    return (this.at = at)
  }
}

/** Where a phrase may begin, by the words looked at so far. Used by one call at a time. */
let starts = new Uint32Array(64)

/** Do the words stand one after the other in the post they are all at? */
function isAdjacent(words: readonly TermCursor[]): boolean {
  const first = words[0]!.places()
  let { count } = first
  if (count > starts.length) starts = new Uint32Array(count * 2)
  for (let i = 0; i < count; i++) starts[i] = first.values[i]!
  for (let word = 1; word < words.length && count > 0; word++) {
    count = keepFollowed(count, words[word]!.places(), word)
  }
  return count > 0
}

/** Keeps the starts that have a place so far behind them; how many. Both ascend: no place is looked at twice. */
function keepFollowed(before: number, { values, count }: Places, distance: number): number {
  let kept = 0
  for (let i = 0, at = 0; i < before; i++) {
    const start = starts[i]!
    while (at < count && values[at]! < start + distance) at++
    if (at < count && values[at] === start + distance) starts[kept++] = start
  }
  return kept
}
