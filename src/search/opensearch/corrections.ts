import type { Correction, SearchQuery } from '../../model/query.ts'
import { otherSpellings } from '../../text/other-spellings.ts'
import { correct, LONG_LENGTH, splitsOf, SURE_LETTERS, unknownWords } from '../correct.ts'
import type { Expr } from '../expr.ts'
import { isThereBody, type Search } from './search.ts'
import type { Query } from './query-dsl.ts'

/** How many near words are asked for, for each word that no shard has. */
const NEAREST = 20

interface Suggestion {
  readonly options: readonly { readonly text: string; readonly freq: number }[]
}

/**
 * Suggestions for words that may be slips: words at edit distance one or two that the engine finds, and words as typed
 * with another keyboard layout or in another script.
 */
export async function correctionsOf(search: Search, query: SearchQuery): Promise<Correction[]> {
  // If exact forms were asked for, the stems have not been looked up yet; they decide whether a word is known or a slip.
  const lacking = new Set<string>()
  unknownWords(query, { df: (term) => search.df(term) ?? (lacking.add(term), 0) })
  const others = lacking.size > 0 ? await search.frequencies([...lacking]) : undefined
  const df = (term: string) => search.df(term) ?? others?.get(term) ?? 0
  const words = unknownWords(query, { df }).map(({ tok }) => tok)
  if (words.length === 0) return []
  const near = new Map<string, number>()
  const held = {
    df: (term: string) => near.get(term) ?? df(term),
    expandPrefix: (prefix: string) => [...near.keys()].filter((word) => word.startsWith(prefix)),
  }
  const spellings = words.flatMap((word) => [...otherSpellings(word), ...splitsOf(word).flat()])
  const [[told], spelled] = await Promise.all([
    search.session.search([suggestBody(words)]),
    search.frequencies(spellings),
  ])
  for (const each of Object.values(told!.suggest ?? {}) as (readonly Suggestion[])[]) {
    for (const { text, freq } of each.flatMap(({ options }) => options)) near.set(text, freq)
  }
  for (const [text, freq] of spelled) near.set(text, freq)
  const asked = new Map<string, Expr>()
  const hasMatch = (expr: Expr) => (asked.set(JSON.stringify(expr), expr), false)
  correct(query, search.plan, { ...held, hasMatch })
  if (asked.size === 0) return []
  const bodies = [...asked.values()].map((expr) => isThereBody(search, expr))
  const found = await search.session.search(bodies)
  const there = new Set([...asked.keys()].filter((_, i) => (found[i]!.hits.total?.value ?? 0) > 0))
  return correct(query, search.plan, {
    ...held,
    hasMatch: (expr) => there.has(JSON.stringify(expr)),
  })
}

function suggestBody(words: readonly string[]): Query {
  const suggestions = words.flatMap((text, i) => {
    const one = { ...NEAR, max_edits: 1, prefix_length: 0 }
    const two = { ...NEAR, max_edits: 2, prefix_length: SURE_LETTERS }
    return [
      [`one${i}`, { text, term: one }],
      ...(text.length >= LONG_LENGTH ? [[`two${i}`, { text, term: two }]] : []),
    ]
  })
  return { size: 0, track_total_hits: false, suggest: Object.fromEntries(suggestions) as Query }
}

const NEAR = {
  field: 'w',
  min_word_length: 4,
  suggest_mode: 'always',
  size: NEAREST,
  shard_size: 5 * NEAREST,
}
