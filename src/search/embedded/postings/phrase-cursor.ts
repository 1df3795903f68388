import { END, type Cursor } from './cursors.ts'
import type { ListCursor } from './list-cursor.ts'

/** Posts in which words stand one after the other. */
export class PhraseCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #all: Cursor
  readonly #words: readonly ListCursor[]

  /** `all` leads to the posts that hold every one of `words`, and moves them. */
  constructor(all: Cursor, words: readonly ListCursor[]) {
    this.cost = all.cost
    this.#all = all
    this.#words = words
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#all.seek(target)
    while (at < END && !this.#isAdjacent()) at = this.#all.seek(at + 1)
    return (this.at = at)
  }

  #isAdjacent(): boolean {
    const words = this.#words
    for (const place of words[0]!.places()) {
      let next = 1
      while (next < words.length && words[next]!.places().includes(place + next)) next++
      if (next === words.length) return true
    }
    return false
  }
}
