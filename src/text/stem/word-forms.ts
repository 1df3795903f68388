import { createCache } from '../../model/cache.ts'
import { foldWord } from '../fold.ts'
import { languageOfStem, stemTermsOfQuery } from './stem.ts'

/**
 * The forms of a word, spelled out. The index has no positions for stems, so where words must be adjacent, the last part of
 * Нью-Йорк is looked up in each of these forms. A form is the stem with an ending that the language's stemmer removes again.
 */

/** Endings of nouns and adjectives, which are the last parts of names and compounds. */
const ENDINGS: Readonly<Record<string, string>> = {
  en: 's es e y ed ing ies',
  ru: 'а у ом ем ой ей е ы и ов ев ам ям ами ями ах ях я ю ь ия ии ию ией ий иям иями иях ый ого ому ым им ая ую ое ые ие ых их ыми ими',
  uk: 'а у ом ем ою ею і и ів ам ям ами ями ах ях я ю ь ові ія ії ію ією ій ий ого ому им ої их ими',
  bg: 'а я ът ят та то те и ове',
  de: 'e en er es em s n',
  es: 's es a o as os',
  fr: 's e es x',
  it: 'a o i e',
  pl: 'a u ie y i ów owi em ami ach e om',
}

/** Endings of adjectives, which come first for an adjective: the forms of a noun would leave no room for them. */
const ADJECTIVE =
  /(?:ый|ий|ой|ая|ое|ые|ие|ого|ому|ым|им|ую|ых|их|ыми|ими|ської|ська|ське|ські|ську|ською)$/u

/** Each form is a look-up of its own. */
const MAX_FORMS = 20
const MIN_STEM = 3

const known = createCache<string, readonly string[]>({ maxEntries: 1024 })

/** Folded, without the word itself. Only the index can tell which of them posts use. */
export function formsOf(lower: string, tok: string): readonly string[] {
  return known.getOrMake(lower, () => {
    const forms = Object.keys(ENDINGS).flatMap((language) => formsIn(language, lower, tok))
    if (ADJECTIVE.test(lower)) {
      forms.sort((a, b) => Number(ADJECTIVE.test(b)) - Number(ADJECTIVE.test(a)))
    }
    return [...new Set(forms)].filter((form) => form !== tok).slice(0, MAX_FORMS)
  })
}

function formsIn(language: string, lower: string, tok: string): string[] {
  const only = new Set([language])
  const stemOf = (word: string, folded: string) =>
    stemTermsOfQuery(word, folded, only).find((term) => languageOfStem(term) === language)
  const stem = stemOf(lower, tok)
  const base = stem?.slice(0, -1 - language.length) ?? ''
  if (base.length < MIN_STEM) return []
  // English makes `compani` of company and companies.
  const bases = language === 'en' && base.endsWith('i') ? [base, base.slice(0, -1)] : [base]
  const words = bases.flatMap((begun) => [
    begun,
    ...ENDINGS[language]!.split(' ').map((ending) => begun + ending),
  ])
  return words
    .map((word) => [word, foldWord(word)] as const)
    .flatMap(([word, folded]) => (stemOf(word, folded) === stem ? [folded] : []))
}
