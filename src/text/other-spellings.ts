import { transliterations } from './transliterate.ts'

/**
 * What a word would be on another keyboard layout, or in the script it was transliterated from: `ghbdtn` and `privet` are
 * привет. Used for words that are not found as typed.
 */
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю'
const UKRAINIAN_KEYS = 'йцукенгшщзхїфівапролджєячсмитьбю'

/** Vowels that are interchanged when names from other alphabets are written in Latin letters. */
const VOWELS: ReadonlyMap<string, string> = new Map([
  ['a', 'eo'],
  ['e', 'ai'],
  ['i', 'ey'],
  ['o', 'au'],
  ['u', 'o'],
  ['y', 'i'],
])
/** A shorter word with two vowels changed is a different word. */
const MIN_NAME = 7
const ARTICLE = /^ال(?=.{3})/

/** Folded, as the index holds words; the likeliest first. */
export function otherSpellings(word: string): string[] {
  if (/^[a-z]+$/.test(word)) {
    const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, LATIN_KEYS, keys))
    return unique([...typed, ...transliterations(word), ...withOtherVowels(word)], word)
  }
  if (ARTICLE.test(word)) return [word.replace(ARTICLE, '')]
  if (!/^[а-яєії]+$/.test(word)) return []
  const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, keys, LATIN_KEYS))
  return unique(typed, word).filter((each) => /^[a-z]+$/.test(each))
}

function retyped(word: string, from: string, to: string): string {
  return [...word].map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}

/** Two vowels changed, as from `hizballah` to hezbollah. One changed vowel is an ordinary typo, found elsewhere. */
function withOtherVowels(word: string): string[] {
  if (word.length < MIN_NAME) return []
  const changed = (text: string, from: number) =>
    Array.from({ length: text.length - from }, (_, i) => from + i).flatMap((at) =>
      [...(VOWELS.get(text[at]!) ?? '')].map((vowel) => ({
        text: text.slice(0, at) + vowel + text.slice(at + 1),
        at,
      })),
    )
  return changed(word, 0).flatMap(({ text, at }) => changed(text, at + 1).map((each) => each.text))
}

function unique(words: readonly string[], but: string): string[] {
  return [...new Set(words)].filter((word) => word !== but)
}
