/**
 * Ways through the posts of a segment that match: each goes forward by ordinal, so from the newest post to the oldest,
 * and can skip. They are classes, as little else is: a search takes millions of steps through them, and an
 * engine steps through a method twice as fast as through a closure.
 */
import { slotOf } from '../rowid.ts'
import type { Places } from './details.ts'
import type { Budget } from './list.ts'

/** Beyond every ordinal. */
export const END = 2 ** 30

export interface Cursor {
  /** The ordinal it stands on: -1 before the first, END behind the last. */
  readonly at: number
  /** Posts it may lead through, at most. */
  readonly cost: number
  /** To the first match from `target` on; never back. */
  seek(target: number): number
}

/** Through the posts that hold one term. */
export interface TermCursor extends Cursor {
  /** Where the word stands in the post it is at, until it is asked again. */
  places(): Places
  /** How often the term occurs in the post it is at, up to MANY_TIMES. */
  times(): number
  /** Sets the bit of each post from `start` on, as far as `bits` reach. For whoever asks for nothing else. */
  lay(bits: Uint32Array, start: number): void
}

export class NoneCursor implements Cursor {
  readonly at = END
  readonly cost = 0

  seek(): number {
    return END
  }
}

/** What a step from post to post costs, in postings decoded. */
export const STEP = 1 / 4

export class EveryCursor implements Cursor {
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
export class AnyCursor implements Cursor {
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
export class AllCursor implements Cursor {
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

export type Test = (slot: number) => boolean

/** Posts that the columns tell something of. */
export class TestedCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #cursor: Cursor
  readonly #tests: readonly Test[]
  readonly #rowids: Float64Array

  constructor(cursor: Cursor, tests: readonly Test[], rowids: Float64Array) {
    this.cost = cursor.cost
    this.#cursor = cursor
    this.#tests = tests
    this.#rowids = rowids
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#cursor.seek(target)
    while (at < END && !this.#isMatch(slotOf(this.#rowids[at]!))) at = this.#cursor.seek(at + 1)
    return (this.at = at)
  }

  #isMatch(slot: number): boolean {
    const tests = this.#tests
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(slot)) return false
    return true
  }
}
