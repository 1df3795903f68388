import type { Ending, Expr } from '../expr.ts'
import { isThereBody, type Search } from './search.ts'

/**
 * Whether there are words that a phrase of the query may end in, but that the engine does not look at: it takes only the
 * first `PHRASE_ENDINGS` of a shard, and does not tell.
 */
export async function hasMoreEndings(search: Search): Promise<boolean> {
  const endings = endingsOf(search.plan.expr)
  if (endings.length === 0) return false
  const bodies = endings.map((ending) => isThereBody(search, beyond(ending)))
  const found = await search.session.search(bodies)
  return found.some(({ hits }) => (hits.total?.value ?? 0) > 0)
}

/** The beginnings of last words of phrases. */
function endingsOf(expr: Expr | null): Required<Ending>[] {
  if (expr === null) return []
  if ('parts' in expr) return expr.parts.flatMap(endingsOf)
  if (expr.kind === 'not') return endingsOf(expr.part)
  const { prefix, toks = [] } = (expr.kind === 'phrase' && expr.ending) || {}
  return prefix === undefined ? [] : [{ prefix, toks }]
}

/** Posts with a word of this beginning, but with none that is looked at. */
function beyond(ending: Required<Ending>): Expr {
  const lookedAt: Expr = { kind: 'phrase', toks: [], ending }
  const any: Expr = { kind: 'any', terms: [], prefix: ending.prefix }
  return { kind: 'and', parts: [any, { kind: 'not', part: lookedAt }] }
}
