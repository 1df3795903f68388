import type { Correction, SearchQuery } from '../../model/query.ts'
import { otherSpellings } from '../../text/other-spellings.ts'
import { correct, splitsOf, unknownWords } from '../correct.ts'
import type { Expr } from '../expr.ts'
import { isWord } from '../terms.ts'
import { matchingOf, type Search } from './search.ts'
import { weighted, type Query } from './query-dsl.ts'

/**
 * Suggestions for words that may be slips: words at edit distance one or two that the engine finds, and words as typed
 * with another keyboard layout or in another script.
 */
export async function correctionsOf(search: Search, query: SearchQuery): Promise<Correction[]> {
  const told = new Map<string, number>()
  const known = (term: string) => told.get(term) ?? search.df(term)
  /**
   * Whether words remain that no post holds as far as is known; the forms that are known to be absent; and the terms that
   * would tell more.
   */
  function look() {
    const lacking = new Set<string>()
    const absent = new Set<string>()
    const df = (term: string) => {
      const posts = known(term)
      if (posts === undefined) lacking.add(term)
      else if (posts === 0 && isWord(term)) absent.add(term)
      return posts ?? 0
    }
    const isInDoubt = unknownWords(query, { df }).length > 0
    return { isInDoubt, lacking: [...lacking], absent: [...absent] }
  }
  async function learn(terms: readonly string[]): Promise<void> {
    if (terms.length === 0) return
    for (const [term, posts] of await search.frequencies(terms)) told.set(term, posts)
  }

  // Posts hold most words as they are typed; the many stems are looked up only for the others.
  await learn(look().lacking.filter(isWord))
  const { lacking, absent } = look()
  // No post holds the stems of most of these either, so what is near to them is asked for at the same time.
  const [near] = await Promise.all([
    search.nearWords(absent),
    learn([...lacking, ...absent.flatMap(spellingsOf)]),
  ])
  if (!look().isInDoubt) return []
  const held = {
    df: (term: string) => near.get(term) ?? known(term) ?? 0,
    expandPrefix: (prefix: string) => [...near.keys()].filter((word) => word.startsWith(prefix)),
  }
  const asked = new Map<string, readonly Expr[]>()
  const ask = (exprs: readonly Expr[]) => (asked.set(JSON.stringify(exprs), exprs), -1)
  correct(query, search.plan, { ...held, firstMatched: ask })
  asked.delete('[]')
  if (asked.size === 0) return []
  const bodies = [...asked.values()].map((exprs) => firstMatchedBody(search, exprs))
  const found = await search.session.search(bodies)
  const best = new Map([...asked.keys()].map((key, i) => [key, found[i]!.hits.max_score ?? 0]))
  return correct(query, search.plan, {
    ...held,
    firstMatched(exprs) {
      const score = best.get(JSON.stringify(exprs)) ?? 0
      return score > 0 ? exprs.length - score : -1
    },
  })
}

const spellingsOf = (word: string) => [...otherSpellings(word), ...splitsOf(word).flat()]

/**
 * Asks for one post of the first expression that any post matches: each weighs more than all after it, and only the best
 * hit is wanted, so that the engine skips the others as soon as it has found one.
 */
function firstMatchedBody(search: Search, exprs: readonly Expr[]): Query {
  const queries = weighted(
    exprs.map((expr, i) => ({ query: matchingOf(search, { expr }), weight: exprs.length - i })),
  )
  return { size: 1, track_total_hits: false, query: { dis_max: { queries } } }
}
