import type { Correction, SearchQuery } from '../../model/query.ts'
import { analyzeQueryWord } from '../../text/analyze-query.ts'
import { correct, unknownWords } from '../correct.ts'
import type { Expr } from '../expr.ts'
import { matchingOn, type Ground } from './ground.ts'
import type { Query } from './query-dsl.ts'

/** Words near to one that no shard has, for each. */
const NEAREST = 20

interface Suggestion {
  readonly options: readonly { readonly text: string; readonly freq: number }[]
}

/** For a search without a match: words one slip away that posts hold, as the engine finds them. */
export async function correctionsOf(
  ground: Ground,
  query: SearchQuery,
  df: (term: string) => number,
): Promise<Correction[]> {
  const words = unknownWords(query, { df }).map(({ text }) => text)
  if (words.length === 0) return []
  const near = new Map<string, number>()
  const heldBy = (term: string) => near.get(term) ?? df(term)
  const [told] = await ground.asking.ask([suggestBody(words)])
  for (const each of Object.values(told!.suggest ?? {}) as (readonly Suggestion[])[]) {
    for (const { text, freq } of each.flatMap(({ options }) => options)) near.set(text, freq)
  }
  const asked: Expr[] = []
  const hasMatch = (expr: Expr) => (asked.push(expr), false)
  correct(query, ground.plan, { df: heldBy, hasMatch })
  if (asked.length === 0) return []
  const found = await ground.asking.ask(asked.map((expr) => isThereBody(ground, expr)))
  const held = new Set(
    asked.flatMap((expr, i) =>
      (found[i]!.hits.total?.value ?? 0) > 0 ? [JSON.stringify(expr)] : [],
    ),
  )
  return correct(query, ground.plan, {
    df: heldBy,
    hasMatch: (expr) => held.has(JSON.stringify(expr)),
  })
}

function suggestBody(words: readonly string[]): Query {
  const suggestions = words.map((word, i) => {
    const text = analyzeQueryWord(word).alternatives[0]![0]!.toks[0]!
    const term = {
      field: 'w',
      max_edits: 1,
      prefix_length: 0,
      min_word_length: 4,
      suggest_mode: 'always',
      size: NEAREST,
      shard_size: 5 * NEAREST,
    }
    return [`w${i}`, { text, term }]
  })
  return { size: 0, track_total_hits: false, suggest: Object.fromEntries(suggestions) as Query }
}

function isThereBody(ground: Ground, expr: Expr): Query {
  return { size: 0, track_total_hits: 1, terminate_after: 1, query: matchingOn(ground, { expr }) }
}
