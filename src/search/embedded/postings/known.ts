import { END, type Cursor } from './cursors.ts'
import type { Budget } from './list.ts'

/** The matches of an expression in a segment, from its newest post on, and what finding each took in postings decoded. */
export class Known {
  ords = new Uint32Array(16)
  costs = new Float32Array(16)
  count = 0
  /** What finding out took that there are no more; undefined while that is not known. */
  endCost: number | undefined

  add(ord: number, cost: number): void {
    if (this.count === this.ords.length) {
      const [ords, costs] = [this.ords, this.costs]
      this.ords = new Uint32Array(this.count * 2)
      this.costs = new Float32Array(this.count * 2)
      this.ords.set(ords)
      this.costs.set(costs)
    }
    this.ords[this.count] = ord
    this.costs[this.count++] = cost
  }

  forget(): void {
    this.count = 0
    this.endCost = undefined
  }
}

/**
 * From match to match of a segment, beginning with its newest post; `seek` is for the post behind the last match only.
 * What is known is not looked for again but costs what finding it did, and that is what a walk from the newest post on
 * costs whoever goes it: an answer never depends on who asked before.
 */
export class KnownCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #known: Known
  /** Matches that may be noted. */
  readonly #most: number
  readonly #budget: Budget
  readonly #open: (budget: Budget) => Cursor
  /** Matches met so far. */
  #met = 0
  #rest: Cursor | undefined
  readonly #restBudget: Budget = { postings: 0 }

  constructor(
    known: Known,
    options: { readonly posts: number; readonly most: number; readonly budget: Budget },
    open: (budget: Budget) => Cursor,
  ) {
    this.#known = known
    this.cost = options.posts
    this.#most = options.most
    this.#budget = options.budget
    this.#open = open
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const known = this.#known
    const index = this.#met++
    if (this.#rest) return this.#find(this.#rest, index)
    if (index < known.count) return this.#take(known.ords[index]!, known.costs[index]!)
    if (known.endCost !== undefined) return this.#take(END, known.endCost)
    return this.#find(this.#catchUp(index), index)
  }

  #take(ord: number, cost: number): number {
    const left = this.#budget.postings - cost
    // By how much it falls short depends on where the way was left.
    this.#budget.postings = left < 0 ? -1 : left
    return (this.at = left < 0 ? END : ord)
  }

  /** A cursor of its own at the last match that is known. It costs nothing more: going there was paid for. */
  #catchUp(index: number): Cursor {
    this.#restBudget.postings = Infinity
    this.#rest = this.#open(this.#restBudget)
    for (let i = 0, at = -1; i < index; i++) at = this.#rest.seek(at + 1)
    return this.#rest
  }

  #find(rest: Cursor, index: number): number {
    const known = this.#known
    const before = this.#budget.postings
    this.#restBudget.postings = before
    const ord = rest.seek(this.at + 1)
    const cost = before - this.#restBudget.postings
    // What was found behind the end of the budget may not be all there is, and would have to be caught up with in vain.
    if (this.#restBudget.postings < 0) known.forget()
    else if (index === known.count && known.endCost === undefined && index < this.#most) {
      if (ord === END) known.endCost = cost
      else known.add(ord, cost)
    }
    return this.#take(ord, cost)
  }
}
