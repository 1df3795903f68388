import type { TermStats } from './expr.ts'
import { MAX_UNITS } from './rank.ts'
import type { RankUnit } from './rank-unit.ts'

/**
 * Words that begin alike are often forms of one word, or parts of the same compound, that no stemmer brings together: of
 * many languages there is none. Whoever holds some of a query's words is ranked by these kin too.
 */

/** The kin of a word share its first letters: so many, and this part of it. */
const LETTERS = 5
const SHARE = 0.6
/** The most frequent words of a family, of the first so many that begin alike. */
const MAX_WORDS = 16
const MAX_LOOKED_AT = 256

/** Behind the units, the kin of each word that is long enough, in the query's order as far as there is room. */
export function withKin(
  units: readonly RankUnit[],
  expand: TermStats['expand'],
): readonly RankUnit[] {
  const kin = units.flatMap((unit, kinOf) => {
    const prefix = beginningOf(unit)
    if (prefix === undefined) return []
    const { toks } = expand(prefix, MAX_WORDS, MAX_LOOKED_AT)
    return [{ ...unit, idf: 0, kinOf, alternatives: [[{ toks, stems: [], prefix }]] }]
  })
  return [...units, ...kin.slice(0, Math.max(0, MAX_UNITS - units.length))]
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
/** Arabic writes it together with the word, and what stands before it. */
const ARTICLE = /^[وفبك]?ال/u
