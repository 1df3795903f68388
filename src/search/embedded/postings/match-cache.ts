import type { Expr } from '../../expr.ts'
import { doubled } from './bytes.ts'
import { END, type Cursor } from './cursors.ts'
import type { Budget } from './layout.ts'
import type { Segment } from './segment.ts'

/** Matches of an expression in a segment, from its newest post on, and what finding each one cost in postings. */
export class CachedMatches {
  docs = new Uint32Array(16)
  costs = new Float32Array(16)
  count = 0
  /** What the search after the last match cost, once it is known that there are no more. */
  endCost: number | undefined
  readonly #onChange: (more: number) => void

  constructor(onChange: (more: number) => void = () => {}) {
    this.#onChange = onChange
  }

  add(doc: number, cost: number): void {
    if (this.count === this.docs.length) {
      this.docs = doubled(this.docs)
      this.costs = doubled(this.costs)
    }
    this.docs[this.count] = doc
    this.costs[this.count++] = cost
    this.#onChange(1)
  }

  forget(): void {
    this.#onChange(-this.count)
    this.count = 0
    this.endCost = undefined
  }
}

/**
 * Moves from match to match of a segment, starting with its newest post; `seek` must be called with the doc id after the
 * last match. A cached match is charged what finding it cost, which is the same for every walk from the newest post. So
 * an answer never depends on earlier searches.
 */
export class CachedCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #cached: CachedMatches
  /** How many matches may be cached. */
  readonly #most: number
  readonly #budget: Budget
  readonly #open: (budget: Budget) => Cursor
  /** Matches visited so far. */
  #met = 0
  #rest: Cursor | undefined
  readonly #restBudget: Budget = { postings: 0 }

  constructor(
    cached: CachedMatches,
    options: { readonly posts: number; readonly most: number; readonly budget: Budget },
    open: (budget: Budget) => Cursor,
  ) {
    this.#cached = cached
    this.cost = options.posts
    this.#most = options.most
    this.#budget = options.budget
    this.#open = open
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    const cached = this.#cached
    const index = this.#met++
    if (this.#rest) return this.#find(this.#rest, index)
    if (index < cached.count) return this.#take(cached.docs[index]!, cached.costs[index]!)
    if (cached.endCost !== undefined) return this.#take(END, cached.endCost)
    return this.#find(this.#catchUp(index), index)
  }

  #take(doc: number, cost: number): number {
    const left = this.#budget.postings - cost
    // How far below zero the budget would fall depends on where the cache ended, so it is set to -1 in every case.
    this.#budget.postings = left < 0 ? -1 : left
    return (this.at = left < 0 ? END : doc)
  }

  /** Opens a cursor at the last cached match. This is not charged, since every match before it has been. */
  #catchUp(index: number): Cursor {
    this.#restBudget.postings = Infinity
    this.#rest = this.#open(this.#restBudget)
    for (let i = 0, at = -1; i < index; i++) at = this.#rest.seek(at + 1)
    return this.#rest
  }

  #find(rest: Cursor, index: number): number {
    const cached = this.#cached
    const before = this.#budget.postings
    this.#restBudget.postings = before
    const doc = rest.seek(this.at + 1)
    const cost = before - this.#restBudget.postings
    // When the budget ran out, a match may have been missed, so nothing of this walk may be cached.
    if (this.#restBudget.postings < 0) cached.forget()
    else if (index === cached.count && cached.endCost === undefined && index < this.#most) {
      if (doc === END) cached.endCost = cost
      else cached.add(doc, cost)
    }
    return this.#take(doc, cost)
  }
}

/**
 * Matches found before, by expression and segment. Segments never change, so these stay valid; posts deleted since are
 * skipped by the scan. When a query is repeated, only new segments have to be searched.
 */
export interface MatchCache {
  /** The cached matches of the expression in a segment; null where caching is not worth it. */
  of(expr: Expr | null): (segment: Segment) => CachedMatches | null
  /** Drops the entries of a segment that was merged or dropped. */
  forget(segment: Segment): void
}

/** Limits on cached expressions, and on matches of all of them: 8 MB. */
const MAX_EXPRS = 1_000
const MAX_MATCHES = 1_000_000
/** A longer expression is hardly ever asked for twice. */
const MAX_KEY = 4_000

const uncached = () => null

export function createMatchCache(): MatchCache {
  // Two generations: an entry that is used again moves to the younger one, and the older one is dropped as a whole.
  let lately = new Map<string, Map<number, CachedMatches>>()
  let before: typeof lately = new Map()
  /** In the younger one. */
  let matches = 0
  const counted = (more: number) => void (matches += more)

  function knownOf(key: string): Map<number, CachedMatches> {
    if (lately.size >= MAX_EXPRS / 2 || matches >= MAX_MATCHES / 2) {
      before = lately
      lately = new Map()
      matches = 0
    }
    let found = lately.get(key)
    if (found) return found
    found = before.get(key) ?? new Map()
    for (const { count } of found.values()) matches += count
    lately.set(key, found)
    return found
  }

  return {
    of(expr) {
      if (expr === null) return uncached
      const key = JSON.stringify(expr)
      if (key.length > MAX_KEY) return uncached
      const bySegment = knownOf(key)
      return ({ id, rowids, sizes }) => {
        // Small segments are soon merged.
        if (rowids.length < sizes.cacheFrom) return null
        let cached = bySegment.get(id)
        if (!cached) bySegment.set(id, (cached = new CachedMatches(counted)))
        return cached
      }
    },
    forget({ id }) {
      for (const cached of [lately, before]) for (const each of cached.values()) each.delete(id)
    },
  }
}
