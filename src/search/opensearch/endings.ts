import type { Expr } from '../expr.ts'
import type { SearchResponse } from './engine-session.ts'
import { PHRASE_ENDINGS, type Query } from './query-dsl.ts'
import type { Search } from './search.ts'

/**
 * Whether there are words that a phrase of the query may end in, but that the engine does not look at: it takes only the
 * first `PHRASE_ENDINGS` of a shard, and does not tell. So it is asked for one more, and for its profile, which names them.
 */
export async function hasMoreEndings({ plan, session }: Search): Promise<boolean> {
  const prefixes = [...new Set(endingsOf(plan.expr))]
  if (prefixes.length === 0) return false
  const found = await session.search(prefixes.map(endingsBody))
  return found.some(({ profile }) => mostEndings(profile) > PHRASE_ENDINGS)
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

/** The beginning is also the first word of the phrase: without one, each word would become a clause with a profile of its own. */
function endingsBody(prefix: string): Query {
  const phrase = { query: `${prefix} ${prefix}`, max_expansions: PHRASE_ENDINGS + 1 }
  return {
    size: 0,
    track_total_hits: false,
    terminate_after: 1,
    profile: true,
    query: { match_phrase_prefix: { w: phrase } },
  }
}

/** How many endings a shard has at most: they stand behind the first word, separated by spaces. */
function mostEndings(profile: SearchResponse['profile']): number {
  const queries = (profile?.shards ?? []).flatMap(({ searches }) =>
    searches.flatMap(({ query }) => query),
  )
  return Math.max(0, ...queries.map(({ description }) => description.split(' ').length - 1))
}
