import { END, type Cursor } from './cursors.ts'
import type { ListCursor } from './list-cursor.ts'
import type { Work } from './list.ts'

/** Posts in which words stand one after the other. */
export class PhraseCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #all: Cursor
  readonly #words: readonly ListCursor[]
  readonly #work: Work

  /** `all` leads to the posts that hold every one of `words`, and moves them. */
  constructor(all: Cursor, words: readonly ListCursor[], work: Work) {
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

/** Do the words stand one after the other in the post they are all at? */
export function isAdjacent(words: readonly ListCursor[]): boolean {
  const places = words.map((word) => word.places())
  const heads = words.map(() => 0)
  for (const place of places[0]!) {
    let next = 1
    while (next < words.length && isAt(places[next]!, heads, next, place + next)) next++
    if (next === words.length) return true
  }
  return false
}

/** Places ascend, and so do those asked for: no place is looked at twice. */
function isAt(places: readonly number[], heads: number[], word: number, place: number): boolean {
  while (heads[word]! < places.length && places[heads[word]!]! < place) heads[word]!++
  return places[heads[word]!] === place
}
