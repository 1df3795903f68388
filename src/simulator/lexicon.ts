import { Random, hash32 } from './random.ts'
import type { LanguageText } from './texts/language-text.ts'

/**
 * Tens of thousands of invented word forms for each language, so that there are both rare and common terms: stems of two or
 * three syllables, each with all its endings. The first words are the real commonest words of the language.
 */
export interface Lexicon {
  readonly words: readonly string[]
  /** A word by Zipf's law: the k-th is about k times rarer than the first. */
  word(random: Random): string
  /** An invented proper name. */
  name(random: Random): string
}

const STEMS = 6000
const lexicons = new Map<string, Lexicon>()

export function lexiconOf(language: LanguageText): Lexicon {
  let lexicon = lexicons.get(language.code)
  if (!lexicon) lexicons.set(language.code, (lexicon = build(language)))
  return lexicon
}

function build(language: LanguageText): Lexicon {
  const random = new Random(hash32(language.code.charCodeAt(0), language.code.charCodeAt(1)))
  const seen = new Set(language.common)
  const words = [...language.common]
  for (let i = 0; i < STEMS; i++) {
    const stem = syllables(language, random, 2 + (i > STEMS / 10 ? random.int(2) : 0))
    const first = random.int(language.endings.length)
    for (let e = 0; e < language.endings.length; e++) {
      const form = stem + (language.endings[(first + e) % language.endings.length] as string)
      if (seen.has(form)) continue
      seen.add(form)
      words.push(form)
    }
  }
  const logSize = Math.log(words.length + 1)
  return {
    words,
    word: (r) => words[Math.floor(Math.exp(r.next() * logSize)) - 1] as string,
    name(r) {
      const name = syllables(language, r, 2)
      return name.charAt(0).toUpperCase() + name.slice(1)
    },
  }
}

function syllables(language: LanguageText, random: Random, count: number): string {
  let out = ''
  for (let i = 0; i < count; i++) out += random.pick(language.onsets) + random.pick(language.rimes)
  return out
}
