import { transliterations } from './transliterate.ts'

/**
 * What a word would be on another keyboard, or in the letters it was spelled out in: `ghbdtn` and `privet` are привет. For
 * words that nobody holds as they are.
 */
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю'
const UKRAINIAN_KEYS = 'йцукенгшщзхїфівапролджєячсмитьбю'

/** Folded, as posts hold words; the likeliest first. */
export function otherSpellings(word: string): string[] {
  if (/^[a-z]+$/.test(word)) {
    const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, LATIN_KEYS, keys))
    return unique([...typed, ...transliterations(word)], word)
  }
  if (!/^[а-яєії]+$/.test(word)) return []
  const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, keys, LATIN_KEYS))
  return unique(typed, word).filter((each) => /^[a-z]+$/.test(each))
}

function retyped(word: string, from: string, to: string): string {
  return [...word].map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}

function unique(words: readonly string[], but: string): string[] {
  return [...new Set(words)].filter((word) => word !== but)
}
