import { foldWord, lowerWord } from './fold.ts'

/**
 * Which words of a text can be left unread when a few are looked for: a stem begins with its word's own first letter, so
 * a word that begins with none of the wanted letters is none of the wanted words. Nine in ten drop out so.
 */

/** Languages whose stemmers take endings only and whose letters fold one by one. */
const SUFFIX_ONLY: ReadonlySet<string> = new Set(
  'en ru uk be bg de fr es it pt nl sv da no fi ro kk ky el'.split(' '),
)

/** The first letter of each unit when folded; 0 not asked yet, ANY where one unit does not tell. */
const FOLDED = new Uint16Array(0x10000)
const ANY = 0xffff

function foldedFirst(unit: number): number {
  const known = FOLDED[unit]!
  if (known !== 0) return known
  const isHalf = (unit & 0xf800) === 0xd800
  const folded = isHalf ? '' : foldWord(lowerWord(String.fromCharCode(unit)))
  return (FOLDED[unit] = folded === '' ? ANY : folded.charCodeAt(0))
}

/** True for the first unit of a word that may be wanted; undefined where nothing can be left out. */
export type FirstLetter = (unit: number) => boolean

export function firstLetters(terms: Iterable<string>): FirstLetter {
  const wanted = new Set<number>()
  for (const term of terms) if (term !== '') wanted.add(term.charCodeAt(0))
  return (unit) => {
    const first = foldedFirst(unit)
    return first === ANY || wanted.has(first)
  }
}

export function keepsFirstLetter(language: string | null): boolean {
  return language !== null && SUFFIX_ONLY.has(language)
}
