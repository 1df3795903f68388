import { collect } from './analyze.ts'
import { termsOf, type QueryTerm } from './analyze-query.ts'
import { lowerWord } from './fold.ts'
import { lexiconOf } from './lexicon.ts'
import { formsOf } from './stem/word-forms.ts'

/**
 * How else a word may be written by those who mean the same: joined or parted (`cease-fire`, `F16`), a number with its thousands
 * apart (`1.299`), a compound with another ending (Нью-Йорке). They are for words that may stand in any form, and count less
 * than the word as it was typed.
 */
const HYPHEN = /[-\u2010\u2011]/u
const COMPOUND = /^([\p{L}\p{M}]{1,16})[-\u2010\u2011]([\p{L}\p{M}]{2,16})$/u
/** F-16, F16, covid-19, Т-72Б. */
const CODE = /^(\p{L}{1,8})([-\u2010\u2011]?)(\p{Nd}{1,5}\p{L}{0,2})$/u
/** Before a number they are words of their own more often than not: "a 10", "с 300". */
const LONE_WORD = /^[aeiouyавикосуя]$/iu
const GROUPED = /^\p{Nd}{1,3}(?:[.'’\u066c\u2009]\p{Nd}{3}){1,3}$/u
const NUMBER = /^[1-9]\d{3,11}$/
const YEAR = /^(?:19|20)\d\d$/
const MIN_JOINED = 4

/** Each is a sequence of adjacent places, of which the last may have several words. */
export function otherReadings(
  word: string,
  typed: readonly QueryTerm[],
  languages?: ReadonlySet<string>,
): readonly (readonly QueryTerm[])[] {
  const said = spelledOtherwise(word, typed)
  const readings = said === undefined ? [] : [analyzed(said, languages)]
  const last = typed.at(-1)
  if (typed.length > 1 && last && HYPHEN.test(word.at(-last.typed.length - 1) ?? '')) {
    const forms = formsOf(lowerWord(last.typed), last.toks[0]!)
    if (forms.length > 0 && word.endsWith(last.typed)) {
      readings.push([...typed.slice(0, -1), { ...last, toks: forms }])
    }
  }
  return readings.filter((reading) => reading.length > 0)
}

/** The same word with a hyphen more, or without its signs. */
function spelledOtherwise(word: string, typed: readonly QueryTerm[]): string | undefined {
  if (GROUPED.test(word)) return word.replaceAll(/\P{Nd}/gu, '')
  const [, letters = '', hyphen, digits] = CODE.exec(word) ?? []
  if (hyphen) return letters + digits
  if (hyphen === '') return LONE_WORD.test(letters) ? undefined : `${letters}-${digits}`
  const [, first, second] = COMPOUND.exec(word) ?? []
  if (first !== undefined) {
    const joined = first + second
    return joined.length < MIN_JOINED ? undefined : joined
  }
  const number = typed.length === 1 ? typed[0]!.toks[0]! : ''
  if (!NUMBER.test(number) || YEAR.test(number)) return undefined
  return number.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
}

function analyzed(text: string, languages?: ReadonlySet<string>): QueryTerm[] {
  return termsOf(text, collect(text, lexiconOf(null), false), languages)
}
