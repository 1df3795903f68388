/** An expression as a tree of cursors. */
import { phrasesOf, type Expr } from '../../expr.ts'
import { EVERY_POST } from '../../terms.ts'
import { rowsFor } from './bits.ts'
import { BitsCursor } from './bits-cursor.ts'
import {
  AllCursor,
  AnyCursor,
  EveryCursor,
  NoneCursor,
  TestedCursor,
  type Cursor,
  type TermCursor,
  type Test,
} from './cursors.ts'
import { GapsCursor } from './gaps-cursor.ts'
import { LaidOverCursor } from './laid-over-cursor.ts'
import type { Budget } from './list.ts'
import { PhraseCursor } from './phrase-cursor.ts'
import type { Entry, Segment } from './segment.ts'

/** What a cursor is made from. */
export interface Ground {
  readonly segment: Segment
  readonly budget: Budget
  /** Whether the post in a slot holds a term, where that can be told without its list. */
  readonly testOf: (term: string) => Test | undefined
}

export function openTerm(segment: Segment, entry: Entry, budget: Budget): TermCursor {
  const { layout } = entry
  return layout === 'bits'
    ? new BitsCursor(segment, entry, budget)
    : new GapsCursor(segment, entry, budget)
}

export function openCursor(ground: Ground, expr: Expr | null): Cursor {
  const { segment, budget } = ground
  if (expr === null) return new EveryCursor(segment.rowids.length, budget)
  switch (expr.kind) {
    case 'any':
      if (expr.terms.includes(EVERY_POST)) return new EveryCursor(segment.rowids.length, budget)
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
        phrasesOf(expr).map((toks) => phrase(ground, toks)),
      )
    case 'or':
      return anyOf(
        segment,
        expr.parts.map((part) => openCursor(ground, part)),
      )
    case 'and':
      return allOf(ground, expr.parts)
    case 'not':
      return allOf(ground, [expr])
  }
}

function anyOf(segment: Segment, cursors: readonly Cursor[]): Cursor {
  const parts = cursors.filter((cursor) => cursor.cost > 0)
  if (parts.length <= 1) return parts[0] ?? new NoneCursor()
  const sum = parts.reduce((total, part) => total + part.cost, 0)
  const cost = Math.min(segment.rowids.length, sum)
  return parts.length > segment.sizes.sideBySide
    ? new LaidOverCursor(parts, cost, segment)
    : new AnyCursor(parts, cost)
}

function allOf(ground: Ground, exprs: readonly Expr[]): Cursor {
  const { segment, budget } = ground
  const wanted: Cursor[] = []
  const unwanted: Cursor[] = []
  const testable: { readonly expr: Expr; readonly test: Test; readonly isWanted: boolean }[] = []
  for (const expr of exprs) {
    const isWanted = expr.kind !== 'not'
    const part = expr.kind === 'not' ? expr.part : expr
    const test = testOf(ground, part)
    if (test) testable.push({ expr: part, test, isWanted })
    else (isWanted ? wanted : unwanted).push(openCursor(ground, part))
  }
  const rarest = Math.min(...wanted.map((cursor) => cursor.cost))
  const tests: Test[] = []
  for (const { expr, test, isWanted } of testable) {
    if (testsFor(segment, expr) <= rarest) {
      ;(isWanted ? wanted : unwanted).push(openCursor(ground, expr))
    } else tests.push(isWanted ? test : (slot) => !test(slot))
  }
  if (wanted.some((cursor) => cursor.cost === 0)) return new NoneCursor()
  if (wanted.length === 0) wanted.push(new EveryCursor(segment.rowids.length, budget))
  const all = allMet(
    wanted,
    unwanted.filter((cursor) => cursor.cost > 0),
  )
  return tests.length > 0 ? new TestedCursor(all, tests, segment.rowids) : all
}

/**
 * How many posts could be asked about in the time that reading the list takes. Columns lie in another order than lists,
 * and memory is slow: only where few posts are left to ask about they are quicker.
 */
function testsFor(segment: Segment, expr: Expr): number {
  if (expr.kind !== 'any') return Infinity
  let tests = 0
  for (const term of expr.terms) {
    const entry = segment.find(term)
    if (entry?.layout === 'bits')
      tests += rowsFor(segment.rowids.length, segment.sizes.rowOrds) * TESTS_PER_ROW
    else tests += (entry?.count ?? 0) / POSTINGS_PER_TEST
  }
  return tests
}

const TESTS_PER_ROW = 45
const POSTINGS_PER_TEST = 32

function allMet(wanted: readonly Cursor[], unwanted: readonly Cursor[]): Cursor {
  const [lead, ...others] = wanted.toSorted((a, b) => a.cost - b.cost)
  return others.length + unwanted.length > 0 ? new AllCursor(lead!, others, unwanted) : lead!
}

/** Lists of what very many posts have are long, and what they tell stands in the columns too. */
function testOf({ testOf }: Ground, expr: Expr): Test | undefined {
  if (expr.kind !== 'any' || expr.terms.length === 0) return undefined
  const tests = expr.terms.map(testOf)
  if (tests.length === 1) return tests[0]
  if (tests.includes(undefined)) return undefined
  return (slot) => tests.some((test) => test!(slot))
}

function phrase({ segment, budget }: Ground, toks: readonly string[]): Cursor {
  const entries = toks.map((tok) => segment.find(tok))
  if (entries.some((entry) => !entry || entry.count === 0)) return new NoneCursor()
  const words = entries.map((entry) => openTerm(segment, entry!, budget))
  const all = allMet(words, [])
  return words.length > 1 ? new PhraseCursor(all, words, budget) : all
}
