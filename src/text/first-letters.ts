import { classOf, DIGIT, LETTER } from './characters.ts'
import { CYRILLIC_LOOKALIKES, foldWord, LATIN_LOOKALIKES, lowerWord } from './fold.ts'
import { IRREGULAR } from './stem/irregular.ts'

/**
 * Decides which parts of a text can be skipped when a few words are searched for. A stem begins with the first letters of its
 * word, so a word that begins with none of the wanted letters is not a wanted word. This rules nearly all words out.
 */

/** Languages whose letters fold one by one and whose stemmers remove only endings, apart from the prefixes in `GLUED`. */
const TOLD_BY_FIRST: ReadonlySet<string> = new Set(
  'en ru uk be bg de fr es it pt nl sv da no fi ro kk ky el tr ar fa'.split(' '),
)
/** Of these, the ones whose stemmers also keep the second letter, except of the words in `IRREGULAR`. */
const TOLD_BY_SECOND: ReadonlySet<string | null> = new Set([
  null,
  ...'en ru uk be bg ky fr es it ar fa'.split(' '),
])

/** First letters of prefixes that stemmers remove: those of Persian verbs, and the Arabic article with what precedes it. */
const GLUED = { fa: 'من', ar: 'اوفبکلیتمن' } as const

/** The end of Latin, Greek, Cyrillic, Hebrew and Arabic; words of other scripts are always read. */
const ALPHABETS_END = 0x700

/** What each unit folds to, by itself; 0 until it is computed, ANY where that is not one letter or digit. */
const FOLDED = new Uint16Array(ALPHABETS_END)
const ANY = 0xffff
const NOTHING = 0
const SPACE = 0x20

function foldedUnit(unit: number): number {
  if (!(unit < ALPHABETS_END)) return ANY
  const known = FOLDED[unit]!
  return known === 0 ? (FOLDED[unit] = computeFolded(unit)) : known
}

function computeFolded(unit: number): number {
  const found = classOf(unit)
  const isHebrew = unit >= 0x530 && unit < 0x600
  if (isHebrew || (found !== LETTER && found !== DIGIT)) return ANY
  const folded = foldWord(lowerWord(String.fromCharCode(unit)))
  return folded.length === 1 ? alikeUnit(folded) : ANY
}

/**
 * One letter for several: a letter of the other alphabet hidden in a word is read as the one it looks like, and the English
 * stemmer makes y into i.
 */
function alikeUnit(letter: string): number {
  const latin = LATIN_LOOKALIKES[CYRILLIC_LOOKALIKES.indexOf(letter)] ?? letter
  return (latin === 'y' ? 'i' : latin).charCodeAt(0)
}

const PAIRS = 1 << 12
/** The number of a pair of letters. Some pairs share theirs, and then a word is read in vain. */
function pairOf(first: number, second: number): number {
  return ((first << 6) ^ second) & (PAIRS - 1)
}

/** True for the first two units of a word that may be wanted. */
export type FirstLetters = (unit: number, next: number) => boolean

/**
 * For words with one of these terms, in posts of this language; undefined where the first letters rule nothing out. A term
 * stands for whole words or stems, not for words that begin with it.
 */
export function firstLetters(
  terms: readonly string[],
  language: string | null,
): FirstLetters | undefined {
  if (language !== null && !TOLD_BY_FIRST.has(language)) return undefined
  const firsts = new Uint8Array(ALPHABETS_END)
  const pairs = new Uint8Array(PAIRS)
  for (const term of terms) {
    for (const start of [term, ...(IRREGULAR.get(term.slice(0, 2)) ?? [])]) {
      const [first, second = NOTHING] = start.slice(0, 2).split('').map(alikeUnit)
      if (first === undefined) continue
      firsts[first] = 1
      pairs[pairOf(first, second)] = 1
    }
  }
  const isByPair = TOLD_BY_SECOND.has(language)
  const glued = new Uint8Array(ALPHABETS_END)
  for (const letter of GLUED[language === 'fa' ? 'fa' : 'ar']) glued[letter.charCodeAt(0)] = 1
  return (unit, next) => {
    const first = foldedUnit(unit)
    if (first === ANY || glued[first] === 1) return true
    if (firsts[first] !== 1) return false
    if (!isByPair) return true
    // A word never goes beyond a space; what else may follow a letter does not always end the word.
    const second = next === SPACE ? NOTHING : foldedUnit(next)
    return second === ANY || pairs[pairOf(first, second)] === 1
  }
}
