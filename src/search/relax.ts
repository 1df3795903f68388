import { isFunctionWord } from '../text/function-words.ts'
import type { Expr } from './expr.ts'
import type { Plan } from './plan.ts'

export interface RelaxedWord {
  /** Matches the word alone; a relaxed hit must satisfy `besides` with it. */
  readonly expr: Expr
  readonly idf: number
  /** How many of its newest posts are read, and about how many there are. */
  readonly share: number
  readonly df: number
}

/** The words of a relaxed query that are looked up. */
export function relaxedWords(plan: Plan, posts: number): RelaxedWord[] {
  const asked = tellingOf(plan)
  const byRarity = (asked.length > 0 ? asked : plan.relaxable)
    .map((word) => ({ expr: word.expr, df: word.df, idf: plan.units[word.unit]!.idf }))
    .filter((word) => word.df > 0)
    .sort((a, b) => a.df - b.df)
  const { limits } = plan
  let left = limits.relaxedPostings
  // A common word says little: it is looked up only if the others leave room for all of its posts.
  let room = left
  const telling = byRarity.filter(({ df }) => (room -= df) >= 0 || df < posts * limits.commonShare)
  const chosen = (telling.length > 0 ? telling : byRarity).slice(0, limits.relaxedWords)
  // The rarest word is read completely before a more common one: it may lead to an old post, which the newest posts of a
  // common word would miss. Each word gets at least a few postings, so that the scores of a post found by several add up.
  const words = chosen.map((word, i) => {
    const kept = (chosen.length - 1 - i) * limits.relaxedLeast
    const share = Math.min(word.df, Math.max(limits.relaxedLeast, left - kept))
    left -= share
    return { ...word, share }
  })
  // A required phrase or exact word is reason enough to show a post.
  if (plan.required && plan.units.length > plan.relaxable.length) {
    const share = limits.relaxedLeast
    words.push({ expr: plan.required, idf: 0, share, df: share })
  }
  return words
}

/** A connective of some language counts as one here if its rarity is at most this share of the rarest word's. */
const CONNECTING_SHARE = 0.5

/** The words worth looking up: a post that holds only function words or connectives of the query answers nothing. */
function tellingOf({ relaxable, units }: Plan): Plan['relaxable'] {
  const idfOf = (unit: number) => units[unit]!.idf
  const rarest = Math.max(...relaxable.map(({ unit }) => idfOf(unit)))
  return relaxable.filter(
    ({ unit }) =>
      !units[unit]!.isFunctionWord &&
      !(idfOf(unit) <= rarest * CONNECTING_SHARE && isFunctionWord(units[unit]!.text)),
  )
}

/** The expression with what else holds of a relaxed hit: all that the query requires, but not the whole query. */
export function besides(expr: Expr, { required, strict }: Plan): Expr {
  const parts: Expr[] = [expr]
  if (required && required !== expr) parts.push(required)
  if (strict) parts.push({ kind: 'not', part: strict })
  return parts.length > 1 ? { kind: 'and', parts } : expr
}

/** How many posts a relaxed query may rank. */
export function relaxedSize({ units, limits }: Plan): number {
  return Math.min(limits.relaxedCandidates, Math.ceil(limits.relaxedLooks / units.length))
}

/** Whether a post that lacks these units still satisfies the whole query, and so is not a relaxed hit. */
export function isStrictMatch({ relaxable, units }: Plan, missing: readonly number[]): boolean {
  return !relaxable.some(({ unit }) => units[unit]!.role !== 'piece' && missing.includes(unit))
}

/** What a post must match to be a relaxed hit: any of the words that are looked up. */
export function someOf(words: readonly RelaxedWord[], plan: Plan): Expr {
  return besides({ kind: 'or', parts: words.map((word) => word.expr) }, plan)
}
