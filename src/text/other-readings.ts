import { collect } from './analyze.ts'
import { termsOf, type QueryTerm } from './analyze-query.ts'
import { foldWord, lowerWord } from './fold.ts'
import { isFunctionWord } from './function-words.ts'
import { lexiconOf } from './lexicon.ts'
import type { JoinedWord } from './joined-words.ts'
import { otherNameSpellings } from './spelled-names.ts'
import { languageOfStem, stemTermsOfQuery } from './stem/stem.ts'
import { formsOf } from './stem/word-forms.ts'
import { isPersianAffix, NON_JOINER } from './words.ts'

/**
 * Other ways in which people write the same word: joined or separated (`cease-fire`, `F16`, `20km`, `U.S.`, `TikTok`), a
 * number with separated thousands (`1.299`, `1.299,99`), a date with or without zeros, a compound with another ending
 * (Нью-Йорке), a name as neighbouring languages spell it. They apply to words that match in any form, and score less than
 * the word as it was typed.
 */
const LETTERS = /^[\p{L}\p{M}]+$/u
/** Nearly all words; they have no other spelling with or without signs. */
const PLAIN = /^\p{L}[\p{Ll}\p{Lo}\p{M}]*$/u
const HYPHEN = /[-\u2010\u2011]/u
const COMPOUND = /^([\p{L}\p{M}]{1,16})[-\u2010\u2011]([\p{L}\p{M}]{2,16})$/u
/** USD/RUB, AC/DC. */
const PAIR = /^(\p{Lu}{2,5})\/(\p{Lu}{2,5})$/u
/** F-16, F16, covid-19, Т-72Б. */
const CODE = /^(\p{L}{1,8})([-\u2010\u2011]?)(\p{Nd}{1,5}\p{L}{0,2})$/u
/** Before a number these letters are mostly words of their own: "a 10", "с 300". A capital consonant is not: С-400. */
const LONE_WORD = /^[aeiouyавикосуяAEIOUYАИОУЯ]$/u
/** 20km, 90-х, 20km/h. */
const MEASURE = /^(\p{Nd}{1,5})([-\u2010\u2011]?)(\p{L}{1,5}(?:\/\p{L}{1,4})?)$/u
const GROUPED = /^\p{Nd}{1,3}(?:[.'’\u066c\u2009]\p{Nd}{3}){1,3}$/u
/** 1.299,99 and 1299.99, 1'299.99 and 1,299.99: the sign before the decimals differs from the one between thousands. */
const AMOUNT =
  /^([1-9]\d{3,8}|[1-9]\d{0,2}(?:(?:\.\d{3}){1,2}(?=,)|(?:[,'’\u066c\u2009]\d{3}){1,2}(?=\.)))[.,](\d{1,2})$/u
const NUMBER = /^[1-9]\d{3,11}$/
const YEAR = /^(?:19|20)\d\d$/
/** U.S, EE.UU, С.Ш.А: the last dot is not part of a word. */
const DOTTED = /^(\p{L})(\1?)(?:\.\p{L}{1,2}){1,4}$/u
/** Abbreviations that many write with dots. For any others, their letters would be searched for one by one, in vain. */
const DOTTED_NAMES = new Map(
  ['u.s', 'u.k', 'u.s.a', 'u.a.e', 'e.u', 'u.n', 'd.c', 'ee.uu'].map((name) => [
    name.replaceAll('.', ''),
    name,
  ]),
)
/** The parts of TikTok, OpenAI, StopTheSteal. */
const HUMPS = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)(?:\p{Lu}\p{Ll}+|\p{Lu}+(?!\p{Ll}))+$/u
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u
const MIN_JOINED = 4
/** Slavic names: Zelensky, Zelenskyy, Zelenskiy. */
const NAME = /^(\p{Script=Latin}{3,13}[sz]k)(?:yy|iy|yi|yj|ij|ii|y|i)$/iu
const NAME_ENDINGS = ['y', 'yy', 'iy', 'yi', 'yj', 'ij', 'ii', 'i']
/** Russian names and nouns whose last letters the stemmer takes for an ending, but only where no other ending follows. */
const IN_OV = /^([а-яё]{1,12}[ое]в)([ауе]?)$/iu
const OV_ENDINGS = ['а', 'у', 'е', 'ым', 'ом']
const DAY_FIRST = /^(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)$/
const YEAR_FIRST = /^((?:19|20)\d\d)([./-])(\d{1,2})\2(\d{1,2})$/

/** Each reading is a sequence of adjacent positions; at the last one, any of several words may stand. */
export function otherReadings(
  word: string,
  typed: readonly QueryTerm[],
  languages?: ReadonlySet<string>,
): readonly (readonly QueryTerm[])[] {
  const readings = spelledOtherwise(word, typed).map((said) => analyzed(said, languages))
  const last = typed.at(-1)
  if (typed.length > 1 && last && HYPHEN.test(word.at(-last.typed.length - 1) ?? '')) {
    const forms = formsOf(lowerWord(last.typed), last.toks[0]!)
    if (forms.length > 0 && word.endsWith(last.typed)) {
      readings.push([...typed.slice(0, -1), { ...last, toks: forms }])
    }
  }
  const [, name] = NAME.exec(word) ?? []
  if (name !== undefined) readings.push([namedAlike(name, typed[0]!)])
  const [, base, ending] = IN_OV.exec(word) ?? []
  if (base !== undefined) readings.push([inOtherCase(lowerWord(base), ending!, typed[0]!)])
  const other = typed.length === 1 ? otherNameSpellings(typed[0]!) : undefined
  if (other) readings.push([other])
  return readings.filter((reading) => reading.length > 0)
}

/** The languages of most posts. Others are left out, because every two words of a query add a lookup for each stem. */
const COMMON = new Set('en es ru uk fa ar'.split(' '))
const ENGLISH: ReadonlySet<string> = new Set(['en'])
const BY_LENGTH = /(?:e[sd]?|ing|y)$/

/**
 * The words that posts may write for a word and its neighbours in the query, joined: one position each. A joined word takes
 * the stems of its last part, which are known, so that the whole need not be stemmed; except in English, where endings also
 * depend on the length of a word.
 */
export function joinedReadings(
  joined: readonly JoinedWord[],
  languages?: ReadonlySet<string>,
): readonly (readonly QueryTerm[])[] {
  return joined.map((each) => joinedTerms(each, languages)).filter(({ length }) => length === 1)
}

function joinedTerms({ head, tail }: JoinedWord, languages?: ReadonlySet<string>): QueryTerm[] {
  if (isPersianAffix(head, tail)) return analyzed(head + NON_JOINER + tail, languages)
  const [begun, ended] = [lowerWord(head), lowerWord(tail)]
  const [first, last] = [foldWord(begun), foldWord(ended)]
  const stems = new Set<string>()
  if (LETTERS.test(head) && LETTERS.test(tail)) {
    for (const stem of stemTermsOfQuery(ended, last, languages)) {
      const language = languageOfStem(stem) ?? ''
      if (COMMON.has(language)) stems.add(first + stem)
      if (language !== 'en' || !BY_LENGTH.test(ended)) continue
      for (const whole of stemTermsOfQuery(begun + ended, first + last, ENGLISH)) stems.add(whole)
    }
  }
  const term = { toks: [first + last], stems: [...stems], typed: head + tail }
  return [{ ...term, isBare: false, isPrefix: false }]
}

/** The same word with an additional sign, or without its signs. */
function spelledOtherwise(word: string, typed: readonly QueryTerm[]): readonly string[] {
  const initials = DOTTED_NAMES.get(word.toLowerCase())
  if (initials !== undefined) return [initials]
  if (PLAIN.test(word)) return []
  const [, whole = '', decimals] = AMOUNT.exec(word) ?? []
  if (decimals !== undefined) return [amountOtherwise(whole, decimals)]
  if (GROUPED.test(word)) return [word.replaceAll(/\P{Nd}/gu, '')]
  const [, letters = '', hyphen, digits] = CODE.exec(word) ?? []
  if (hyphen) return [letters + digits]
  if (hyphen === '') return LONE_WORD.test(letters) ? [] : [`${letters}-${digits}`]
  const [, amount, dash, unit] = MEASURE.exec(word) ?? []
  if (amount !== undefined) return [dash === '' ? `${amount} ${unit}` : amount + unit]
  const [, first, second] = COMPOUND.exec(word) ?? PAIR.exec(word) ?? []
  if (first !== undefined) {
    const joined = first + second
    return joined.length < MIN_JOINED ? [] : [joined]
  }
  if (DOTTED.test(word)) return undotted(word)
  const dates = datesOf(word)
  if (dates.length > 0) return dates
  if (typed.length !== 1) return []
  if (HUMPS.test(word)) {
    const humps = word.split(HUMP)
    if (humps.length > 1 && humps.every(({ length }) => length > 1)) return [humps.join(' ')]
  }
  const number = typed[0]!.toks[0]!
  if (!NUMBER.test(number) || YEAR.test(number)) return []
  return [number.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')]
}

/**
 * With its thousands separated if they are joined, and joined if they are separated. Commas between them count as joined,
 * because the scanner reads `1,299` as one number.
 */
function amountOtherwise(whole: string, decimals: string): string {
  const digits = whole.replaceAll(/\D/g, '')
  const isApart = whole !== digits && !whole.includes(',')
  return `${isApart ? digits : digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')},${decimals}`
}

/** Two letters are joined only if they are capitals and not a word: "т.е." is not "те", "U.N." is not the article "un". */
function undotted(word: string): readonly string[] {
  const joined = word.replaceAll('.', '')
  if (joined.length > 2 || joined === 'US') return [joined]
  return /^\p{Lu}+$/u.test(joined) && !isFunctionWord(joined) ? [joined] : []
}

/** The same day with and without zeros, and with the year first. */
function datesOf(word: string): readonly string[] {
  const [, day, , month, year] = DAY_FIRST.exec(word) ?? []
  const [, lastYear, , ofYear, ofMonth] = YEAR_FIRST.exec(word) ?? []
  const [d, m, y] = [day ?? ofMonth, month ?? ofYear, year ?? lastYear]
  if (d === undefined || m === undefined || y === undefined) return []
  const [bare, full] = [[d, m].map(Number), [d, m].map((each) => each.padStart(2, '0'))]
  const ways = [
    ...[bare, full].map((way) => [...way, y].join('.')),
    [y, ...full.toReversed()].join('-'),
  ]
  const typed = word.replaceAll(/\D/g, ' ')
  return [...new Set(ways)].filter((way) => way.replaceAll(/\D/g, ' ') !== typed)
}

function namedAlike(name: string, typed: QueryTerm): QueryTerm {
  const toks = NAME_ENDINGS.map((ending) => foldWord(lowerWord(name + ending)))
  return { ...typed, toks: toks.filter((tok) => tok !== typed.toks[0]), stems: [] }
}

/** For `Лавров`: Лаврова, Лавровым; for `Лаврова`: Лавров. The stem of Лавров is лавр, that of all the others лавров. */
function inOtherCase(base: string, ending: string, typed: QueryTerm): QueryTerm {
  const forms = ending === '' ? OV_ENDINGS.map((each) => base + each) : [base]
  return { ...typed, toks: forms.map(foldWord), stems: [] }
}

function analyzed(text: string, languages?: ReadonlySet<string>): QueryTerm[] {
  return termsOf(text, collect(text, lexiconOf(null), false), languages)
}
