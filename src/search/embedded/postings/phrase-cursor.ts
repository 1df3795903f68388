import { END, type Cursor, type TermCursor } from './cursors.ts'
import type { Work } from './list.ts'

/** Posts in which words stand one after the other. */
export class PhraseCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #all: Cursor
  readonly #words: readonly TermCursor[]
  readonly #work: Work

  /** `all` leads to the posts that hold every one of `words`, and moves them. */
  constructor(all: Cursor, words: readonly TermCursor[], work: Work) {
    this.cost = all.cost
    this.#all = all
    this.#words = words
    this.#work = work
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#all.seek(target)
    while (at < END && !isAdjacent(this.#words)) {
      at = this.#work.postings < 0 ? END : this.#all.seek(at + 1)
    }
    return (this.at = at)
  }
}

/** Where a phrase may begin, by the words looked at so far. Used by one call at a time. */
const starts: number[] = []

/** Do the words stand one after the other in the post they are all at? */
export function isAdjacent(words: readonly TermCursor[]): boolean {
  const first = words[0]!.places()
  starts.length = 0
  for (let i = 0; i < first.length; i++) starts.push(first[i]!)
  for (let word = 1; word < words.length && starts.length > 0; word++) {
    keepFollowed(words[word]!.places(), word)
  }
  return starts.length > 0
}

/** Keeps the starts that have one of `places` so far behind them. Both ascend: no place is looked at twice. */
function keepFollowed(places: readonly number[], distance: number): void {
  let kept = 0
  let at = 0
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i]!
    while (at < places.length && places[at]! < start + distance) at++
    if (places[at] === start + distance) starts[kept++] = start
  }
  starts.length = kept
}
