import { connects } from '../text/function-words.ts'
import type { Expr } from './expr.ts'
import type { Plan } from './plan.ts'

export interface RelaxedWord {
  /** With what is required beside it. */
  readonly expr: Expr
  readonly idf: number
  /** How many of its newest posts it may bring, of about how many. */
  readonly share: number
  readonly df: number
}

/** Which words of a relaxed query are looked up. */
export function relaxedWords(plan: Plan, posts: number): RelaxedWord[] {
  const asked = tellingOf(plan)
  const byRarity = (asked.length > 0 ? asked : plan.relaxable)
    .map((word) => ({ expr: word.expr, df: word.df, idf: plan.units[word.unit]!.idf }))
    .filter((word) => word.df > 0)
    .sort((a, b) => a.df - b.df)
  const { limits } = plan
  let left = limits.relaxedPostings
  // A common word says little, and is looked up only where the others leave room for all of its posts.
  let room = left
  const telling = byRarity.filter(({ df }) => (room -= df) >= 0 || df < posts * limits.commonShare)
  const chosen = (telling.length > 0 ? telling : byRarity).slice(0, limits.relaxedWords)
  // The rarest word is read whole before a commoner one is begun: it may lead to an old post, which no newest few of a
  // common word would. Each gets some, so that posts found by one can add up.
  const words = chosen.map((word, i) => {
    const kept = (chosen.length - 1 - i) * limits.relaxedLeast
    const share = Math.min(word.df, Math.max(limits.relaxedLeast, left - kept))
    left -= share
    return { expr: beside(word.expr, plan), idf: word.idf, share, df: word.df }
  })
  // A phrase or exact word that is required says something by itself.
  if (plan.required && plan.units.length > plan.relaxable.length) {
    const share = limits.relaxedLeast
    words.push({ expr: beside(plan.required, plan), idf: 0, share, df: share })
  }
  return words
}

/** A word that connects others in some language is one in this query, where its rarity is this share of another's at most. */
const CONNECTING_SHARE = 0.5

/** A post that holds nothing but the words a question is asked with, or those between the others, answers nothing. */
function tellingOf({ relaxable, units }: Plan): Plan['relaxable'] {
  const idfOf = (unit: number) => units[unit]!.idf
  const rarest = Math.max(...relaxable.map(({ unit }) => idfOf(unit)))
  return relaxable.filter(
    ({ unit }) =>
      !units[unit]!.isFunctionWord &&
      !(idfOf(unit) <= rarest * CONNECTING_SHARE && connects(units[unit]!.text)),
  )
}

function beside(expr: Expr, { required, strict }: Plan): Expr {
  const parts: Expr[] = [expr]
  if (required && required !== expr) parts.push(required)
  if (strict) parts.push({ kind: 'not', part: strict })
  return parts.length > 1 ? { kind: 'and', parts } : expr
}

/** How many posts a relaxed query may rank. */
export function relaxedSize({ units, limits }: Plan): number {
  return Math.min(limits.relaxedCandidates, Math.ceil(limits.relaxedLooks / units.length))
}

/** Does a post that lacks these units hold everything all the same? Then it is no relaxed hit. */
export function isStrictMatch({ relaxable, units }: Plan, missing: readonly number[]): boolean {
  return !relaxable.some(({ unit }) => units[unit]!.role !== 'piece' && missing.includes(unit))
}

/** What a post must match to be a relaxed hit: any of the words that are looked up. */
export function someOf(words: readonly RelaxedWord[]): Expr {
  return { kind: 'or', parts: words.map((word) => word.expr) }
}
