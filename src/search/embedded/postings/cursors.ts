/**
 * Cursors go through the matching posts of a segment, forward by doc id, so from the newest to the oldest, and can skip.
 * They are classes, unlike most of this program: a search takes millions of steps, and V8 calls a method twice as fast as
 * a closure.
 */
import type { Positions } from './details.ts'
import type { Budget } from './layout.ts'

/** Beyond every doc id. */
export const END = 2 ** 30

export interface Cursor {
  /** The doc id it is at: -1 before the first, END behind the last. */
  readonly at: number
  /** At most so many posts match. */
  readonly cost: number
  /** Moves to the first match at or behind `target`; never back. */
  seek(target: number): number
}

/** Through the posts that hold one term. */
export interface TermCursor extends Cursor {
  /** The positions of the word in the post it is at. Valid until the next call. */
  positions(): Positions
  /** Sets the bit of each of its posts from `start` on, as far as `bits` reach. Afterwards only `addTo` may be called. */
  addTo(bits: Uint32Array, start: number): void
}

export class EmptyCursor implements Cursor {
  readonly at = END
  readonly cost = 0

  seek(): number {
    return END
  }
}

/** What a step from post to post costs, in postings decoded. */
export const STEP = 1 / 4

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
    this.#budget.postings -= STEP
    return (this.at = target < this.cost && this.#budget.postings >= 0 ? target : END)
  }
}

/** Posts that any of a few cursors leads to. */
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

/** Posts that all lead to, and none of the unwanted. The rarest leads, the others follow. */
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

  /** Where to go on from a post that does not match; the post itself when it does. */
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
