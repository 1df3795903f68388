import { LIMITS } from './limits.ts'
import type { Expr, Plan } from './plan.ts'

/** Which words of a relaxed query are looked up, and how many of its newest posts each may bring. */
export function relaxedWords(
  plan: Plan,
  posts: number,
): { readonly expr: Expr; readonly idf: number; readonly share: number }[] {
  const byRarity = plan.relaxable
    .map((word) => ({ expr: word.expr, df: word.df, idf: plan.units[word.unit]!.idf }))
    .filter((word) => word.df > 0)
    .sort((a, b) => a.df - b.df)
  const telling = byRarity.filter((word) => word.df < posts * LIMITS.commonShare)
  const chosen = (telling.length > 0 ? telling : byRarity).slice(0, LIMITS.relaxedWords)
  let left: number = LIMITS.relaxedPostings
  // What a rare word leaves of its share goes to the commoner ones after it.
  return chosen.map((word, i) => {
    const share = Math.min(word.df, Math.floor(left / (chosen.length - i)))
    left -= share
    return { expr: word.expr, idf: word.idf, share }
  })
}

/** Any of the words beside what is required: what a post must match to be a relaxed hit. */
export function someOf(plan: Plan): Expr {
  const some: Expr = { kind: 'or', parts: plan.relaxable.map((word) => word.expr) }
  return plan.required ? { kind: 'and', parts: [some, plan.required] } : some
}
