/**
 * Cursors visit the matching posts of a segment in order of doc id, which is from the newest to the oldest, and can skip.
 * They are classes, unlike most of this program: a search takes millions of steps, and V8 calls a method twice as fast as
 * a closure.
 */
import type { Positions } from './details.ts'
import type { Budget } from './layout.ts'

/** Greater than every doc id. */
export const END = 2 ** 30

export interface Cursor {
  /** The current doc id: -1 before the first, END after the last. */
  readonly at: number
  /** Upper bound of the number of matches. */
  readonly cost: number
  /** Moves to the first match at or after `target`; never backwards. */
  seek(target: number): number
}

/** Visits the posts that hold one term. */
export interface TermCursor extends Cursor {
  /** The positions of the word in the current post. Valid until the next call. */
  positions(): Positions
  /** Sets the bits of its posts from `start` on, as far as `bits` reaches. Afterwards only `addTo` may be called. */
  addTo(bits: Uint32Array, start: number): void
}

export class EmptyCursor implements Cursor {
  readonly at = END
  readonly cost = 0

  seek(): number {
    return END
  }
}

/** What a step from post to post is charged in postings. */
export const STEP_COST = 1 / 4

export class AllDocsCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #budget: Budget

  constructor(posts: number, budget: Budget) {
    this.cost = posts
    this.#budget = budget
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    this.#budget.postings -= STEP_COST
    return (this.at = target < this.cost && this.#budget.postings >= 0 ? target : END)
  }
}

/** Posts that any of a few cursors match. */
export class DisjunctionCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #parts: readonly Cursor[]

  constructor(parts: readonly Cursor[], cost: number) {
    this.cost = cost
    this.#parts = parts
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const parts = this.#parts
    let least = END
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const at = part.at < target ? part.seek(target) : part.at
      if (at < least) least = at
    }
    return (this.at = least)
  }
}

/** Posts that all wanted cursors match and no unwanted one does. The cheapest wanted cursor leads, the others follow. */
export class ConjunctionCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #lead: Cursor
  readonly #others: readonly Cursor[]
  readonly #unwanted: readonly Cursor[]

  constructor(lead: Cursor, others: readonly Cursor[], unwanted: readonly Cursor[]) {
    this.cost = lead.cost
    this.#lead = lead
    this.#others = others
    this.#unwanted = unwanted
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#lead.seek(target)
    while (at < END) {
      const next = this.#refusal(at)
      if (next === at) break
      at = this.#lead.seek(next)
    }
    return (this.at = at)
  }

  /** The doc id to continue from if a post does not match; the post itself if it does. */
  #refusal(at: number): number {
    const others = this.#others
    for (let i = 0; i < others.length; i++) {
      const other = others[i]!
      const found = other.at < at ? other.seek(at) : other.at
      if (found !== at) return found
    }
    const unwanted = this.#unwanted
    for (let i = 0; i < unwanted.length; i++) {
      const other = unwanted[i]!
      if ((other.at < at ? other.seek(at) : other.at) === at) return at + 1
    }
    return at
  }
}
