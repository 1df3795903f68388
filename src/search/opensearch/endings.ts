import type { Expr } from '../expr.ts'
import { isThereBody, type Search } from './search.ts'

/**
 * Whether there are words that a phrase of the query may end in, but that the engine does not look at: it takes only the
 * first `PHRASE_ENDINGS` of a shard, and does not tell.
 */
export async function hasMoreEndings(search: Search): Promise<boolean> {
  const prefixes = [...new Set(endingsOf(search.plan.expr))]
  if (prefixes.length === 0) return false
  const found = await search.session.search(
    prefixes.map((prefix) => isThereBody(search, beyond(prefix))),
  )
  return found.some(({ hits }) => (hits.total?.value ?? 0) > 0)
}

/** The beginnings of the last words of phrases. */
function endingsOf(expr: Expr | null): string[] {
  switch (expr?.kind) {
    case 'and':
    case 'or':
      return expr.parts.flatMap(endingsOf)
    case 'not':
      return endingsOf(expr.part)
    case 'phrase':
      return expr.ending?.prefix === undefined ? [] : [expr.ending.prefix]
    default:
      return []
  }
}

/** Posts with a word of this beginning, but with none that is looked at. */
function beyond(prefix: string): Expr {
  const lookedAt: Expr = { kind: 'phrase', toks: [], ending: { prefix, toks: [] } }
  return {
    kind: 'and',
    parts: [
      { kind: 'any', terms: [], prefix },
      { kind: 'not', part: lookedAt },
    ],
  }
}
