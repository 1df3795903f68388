import type { TermStats } from './expr.ts'
import { MAX_UNITS } from './rank.ts'
import type { RankUnit } from './rank-unit.ts'

/**
 * Words with a common beginning are often forms of one word, or parts of the same compound, that no stemmer brings together;
 * many languages have no stemmer at all. Posts that hold only some of a query's words are ranked by these words too.
 */

/** They share the first letters of the word: at least `LETTERS` of them, and at least `SHARE` of the word. */
const LETTERS = 5
const SHARE = 0.6
/** Taken are the most frequent `MAX_WORDS` of the first `MAX_LOOKED_AT` words with that beginning. */
const MAX_WORDS = 16
const MAX_LOOKED_AT = 256

/**
 * Appends a unit of the words that share a prefix with each word that is long enough, in the query's order, as far as
 * `MAX_UNITS` leaves room.
 */
export function withSharedPrefix(
  units: readonly RankUnit[],
  expand: TermStats['expand'],
): readonly RankUnit[] {
  const shared = units.flatMap((unit, sharesPrefixOf) => {
    const prefix = beginningOf(unit)
    if (prefix === undefined) return []
    const { toks } = expand(prefix, MAX_WORDS, MAX_LOOKED_AT)
    return [{ ...unit, idf: 0, sharesPrefixOf, alternatives: [[{ toks, stems: [], prefix }]] }]
  })
  return [...units, ...shared.slice(0, Math.max(0, MAX_UNITS - units.length))]
}

function beginningOf({ alternatives, role, isFunctionWord }: RankUnit): string | undefined {
  const [place, ...others] = alternatives[0] ?? []
  const tok = place?.toks[0]
  if (role === 'run' || isFunctionWord || others.length > 0 || tok === undefined) return undefined
  if (place!.prefix !== undefined || !WORD.test(tok)) return undefined
  const least = LETTERS + (ARTICLE.exec(tok)?.[0].length ?? 0)
  return tok.length > least
    ? tok.slice(0, Math.max(least, Math.ceil(SHARE * tok.length)))
    : undefined
}

const WORD = /^[\p{L}\p{M}]+$/u
/** Arabic writes the article, and the particle before it, together with the word. */
const ARTICLE = /^[وفبك]?ال/u
