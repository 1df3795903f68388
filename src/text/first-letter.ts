import { CYRILLIC_LOOKALIKES, foldWord, LATIN_LOOKALIKES, lowerWord } from './fold.ts'

/**
 * Decides which parts of a text can be skipped when a few words are searched for. A stem begins with the first letter of its
 * word, so a word that begins with none of the wanted letters is not a wanted word. This rules most words out.
 */

/** Languages whose letters fold one by one and whose stemmers remove only endings, apart from the prefixes in `GLUED`. */
const TOLD_BY_FIRST: ReadonlySet<string> = new Set(
  'en ru uk be bg de fr es it pt nl sv da no fi ro kk ky el tr ar fa'.split(' '),
)

/** First letters of prefixes that stemmers remove: those of Persian verbs, and the Arabic article with what precedes it. */
const GLUED = { fa: 'من', ar: 'اوفبکلیتمن' } as const

/** The end of Latin, Greek, Cyrillic, Hebrew and Arabic; words of other scripts are always read. */
const ALPHABETS_END = 0x700

/** The first letter of each unit's folded form; 0 until it is computed, ANY where the unit alone does not decide it. */
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

/** For words with one of these terms, in posts of this language; undefined where the first letter rules nothing out. */
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
    want(CYRILLIC_LOOKALIKES[LATIN_LOOKALIKES.indexOf(letter)])
    want(LATIN_LOOKALIKES[CYRILLIC_LOOKALIKES.indexOf(letter)])
  }
  for (const letter of GLUED[language === 'fa' ? 'fa' : 'ar']) want(letter)
  return (unit) => {
    if (unit >= ALPHABETS_END) return true
    const first = foldedFirst(unit)
    return first === ANY || wanted[first] === 1
  }
}
