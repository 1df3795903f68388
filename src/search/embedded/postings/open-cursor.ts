/** Turns an expression into a tree of cursors. */
import { phrasesOf, type Expr } from '../../expr.ts'
import { EVERY_POST } from '../../terms.ts'
import { BitsCursor, BitsetUnionCursor } from './bits.ts'
import {
  END,
  ConjunctionCursor,
  DisjunctionCursor,
  AllDocsCursor,
  EmptyCursor,
  type Cursor,
  type TermCursor,
} from './cursors.ts'
import type { Positions } from './details.ts'
import { GapsCursor } from './gaps.ts'
import type { Budget } from './layout.ts'
import type { Entry, Segment } from './segment.ts'

export interface CursorSource {
  readonly segment: Segment
  readonly budget: Budget
}

/** With `isAlone`, the cursor is invalid once another one is opened with it: they share a buffer. */
export function openTerm(
  segment: Segment,
  entry: Entry,
  budget: Budget,
  isAlone = false,
): TermCursor {
  const { layout } = entry
  return layout === 'bits'
    ? new BitsCursor(segment, entry, budget)
    : new GapsCursor(segment, entry, budget, isAlone)
}

export function openCursor(source: CursorSource, expr: Expr | null): Cursor {
  const { segment, budget } = source
  if (expr === null) return new AllDocsCursor(segment.rowids.length, budget)
  switch (expr.kind) {
    case 'any':
      if (expr.terms.includes(EVERY_POST)) return new AllDocsCursor(segment.rowids.length, budget)
      return anyOf(
        segment,
        expr.terms.flatMap((term) => {
          const entry = segment.find(term)
          return entry ? openTerm(segment, entry, budget) : []
        }),
      )
    case 'phrase':
      return anyOf(
        segment,
        phrasesOf(expr).map((toks) => phrase(source, toks)),
      )
    case 'or':
      return anyOf(
        segment,
        expr.parts.map((part) => openCursor(source, part)),
      )
    case 'and':
      return allOf(source, expr.parts)
    case 'not':
      return allOf(source, [expr])
  }
}

function anyOf(segment: Segment, cursors: readonly Cursor[]): Cursor {
  const parts = cursors.filter((cursor) => cursor.cost > 0)
  if (parts.length <= 1) return parts[0] ?? new EmptyCursor()
  const sum = parts.reduce((total, part) => total + part.cost, 0)
  const cost = Math.min(segment.rowids.length, sum)
  return parts.length > segment.sizes.sideBySide
    ? new BitsetUnionCursor(parts, cost, segment)
    : new DisjunctionCursor(parts, cost)
}

function allOf(source: CursorSource, exprs: readonly Expr[]): Cursor {
  const { segment, budget } = source
  const wanted: Cursor[] = []
  const unwanted: Cursor[] = []
  for (const expr of exprs) {
    if (expr.kind === 'not') unwanted.push(openCursor(source, expr.part))
    else wanted.push(openCursor(source, expr))
  }
  if (wanted.some((cursor) => cursor.cost === 0)) return new EmptyCursor()
  if (wanted.length === 0) wanted.push(new AllDocsCursor(segment.rowids.length, budget))
  return allMet(
    wanted,
    unwanted.filter((cursor) => cursor.cost > 0),
  )
}

function allMet(wanted: readonly Cursor[], unwanted: readonly Cursor[]): Cursor {
  const [lead, ...others] = wanted.toSorted((a, b) => a.cost - b.cost)
  return others.length + unwanted.length > 0
    ? new ConjunctionCursor(lead!, others, unwanted)
    : lead!
}

function phrase({ segment, budget }: CursorSource, toks: readonly string[]): Cursor {
  const entries = toks.map((tok) => segment.find(tok))
  if (entries.some((entry) => !entry || entry.count === 0)) return new EmptyCursor()
  const words = entries.map((entry) => openTerm(segment, entry!, budget))
  const all = allMet(words, [])
  return words.length > 1 ? new PhraseCursor(all, words, budget) : all
}

/** Posts in which the words stand in a row. */
class PhraseCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #all: Cursor
  readonly #words: readonly TermCursor[]
  readonly #budget: Budget
  /** Positions where the phrase may start in the current post, given the words compared so far. */
  #starts = new Uint32Array(16)

  /** `all` visits the posts that hold every word of `words`, and moves their cursors. */
  constructor(all: Cursor, words: readonly TermCursor[], budget: Budget) {
    this.cost = all.cost
    this.#all = all
    this.#words = words
    this.#budget = budget
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    let at = this.#all.seek(target)
    while (at < END && !this.#isAdjacent()) {
      at = this.#budget.postings < 0 ? END : this.#all.seek(at + 1)
    }
    return (this.at = at)
  }

  /** Whether the words stand in a row in the current post. */
  #isAdjacent(): boolean {
    const words = this.#words
    const first = words[0]!.positions()
    let { count } = first
    if (count > this.#starts.length) this.#starts = new Uint32Array(count * 2)
    for (let i = 0; i < count; i++) this.#starts[i] = first.values[i]!
    for (let word = 1; word < words.length && count > 0; word++) {
      count = this.#keepFollowed(count, words[word]!.positions(), word)
    }
    return count > 0
  }

  /** Keeps the starts that have a position at this distance; returns how many. Both lists ascend: each is read once. */
  #keepFollowed(before: number, { values, count }: Positions, distance: number): number {
    const starts = this.#starts
    let kept = 0
    for (let i = 0, at = 0; i < before; i++) {
      const start = starts[i]!
      while (at < count && values[at]! < start + distance) at++
      if (at < count && values[at] === start + distance) starts[kept++] = start
    }
    return kept
  }
}
