import { CYRILLIC_LOOKS, foldWord, LATIN_LOOKS, lowerWord } from './fold.ts'

/**
 * Which parts of a text can be left unread when a few words are looked for: a stem begins with its word's own first letter,
 * so a word that begins with none of the wanted letters is none of the wanted words. Most drop out so.
 */

/** Languages whose letters fold one by one and whose stemmers take endings only, but for what is GLUED. */
const TOLD_BY_FIRST: ReadonlySet<string> = new Set(
  'en ru uk be bg de fr es it pt nl sv da no fi ro kk ky el tr ar fa'.split(' '),
)

/** First letters that stems lose: of Persian verbs, of the Arabic article and what stands before it. */
const GLUED = { fa: 'من', ar: 'اوفبکلیتمن' } as const

/** Latin, Greek, Cyrillic, Hebrew, Arabic: words of other scripts are read in every case. */
const ALPHABETS_END = 0x700

/** The first letter of each unit when folded; 0 not asked yet, ANY where one unit does not tell. */
const FOLDED = new Uint16Array(ALPHABETS_END)
const ANY = 0xffff

function foldedFirst(unit: number): number {
  const known = FOLDED[unit]!
  if (known !== 0) return known
  const isAlphabet = unit < 0x530 || unit >= 0x600
  const folded = isAlphabet ? foldWord(lowerWord(String.fromCharCode(unit))) : ''
  return (FOLDED[unit] = folded === '' ? ANY : folded.charCodeAt(0))
}

/** True for the first unit of a word that may be wanted. */
export type FirstLetter = (unit: number) => boolean

/** Of words that have one of these terms, in posts of this language; undefined where a first letter does not tell. */
export function firstLetters(
  terms: readonly string[],
  language: string | null,
): FirstLetter | undefined {
  if (language !== null && !TOLD_BY_FIRST.has(language)) return undefined
  const wanted = new Uint8Array(ALPHABETS_END)
  const want = (letter: string | undefined) => {
    if (letter !== undefined) wanted[letter.charCodeAt(0)] = 1
  }
  for (const term of terms) {
    const letter = term.charAt(0)
    want(letter)
    // A letter of the other alphabet hidden in a word is read as the one it looks like.
    want(CYRILLIC_LOOKS[LATIN_LOOKS.indexOf(letter)])
    want(LATIN_LOOKS[CYRILLIC_LOOKS.indexOf(letter)])
  }
  for (const letter of GLUED[language === 'fa' ? 'fa' : 'ar']) want(letter)
  return (unit) => {
    if (unit >= ALPHABETS_END) return true
    const first = foldedFirst(unit)
    return first === ANY || wanted[first] === 1
  }
}
