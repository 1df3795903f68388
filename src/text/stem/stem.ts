import { createCache } from '../../model/cache.ts'
import { foldWord } from '../fold.ts'
import { formsWithParticles } from './stem-semitic.ts'
import { ALIASES, DEFAULTS, STEMMERS, UNSTEMMED, type Script } from './stemmers.ts'

/**
 * Which stemmer a word gets. A word of a post gets the stemmer of the post's language if that language uses the word's
 * script, else the script's commonest one; a query's word gets every stemmer of its script, so a query needs no language.
 */

const BY_SCRIPT = new Map<Script, string[]>()
for (const [language, { scripts }] of STEMMERS) {
  for (const script of scripts) BY_SCRIPT.set(script, [...(BY_SCRIPT.get(script) ?? []), language])
}

/** Words longer than this are names, hashes or noise. */
const STEM_UNITS = 40

/** The language whose stemmer is used for this one; undefined where there is none. */
export function stemLanguage(language: string | null): string | undefined {
  if (language === null) return undefined
  const code = ALIASES[language] ?? language
  return STEMMERS.has(code) ? code : undefined
}

/** What decides the stem of a word: the stemmer's language, or a script in which this language's words are not stemmed. */
export function stemProfile(language: string | null): string | undefined {
  return stemLanguage(language) ?? (language === null ? undefined : UNSTEMMED[language])
}

/**
 * The stem term of a post's word: the folded stem and the stemmer's language, as in `run/en`. Without the language a
 * query's many stems would match words of other languages (Norwegian makes "theme" into "the"): on 60 000 real posts
 * that added half as many false postings as there were true ones. Words that no stemmer takes are terms as they are.
 */
export function stemTerm(lower: string, tok: string, profile: string | undefined): string {
  const served = languageOfWord(lower, scriptOf(lower), profile)
  return served === undefined ? tok : applyStemmer(served, lower, tok)
}

/** The languages whose stemmers `stemTerm` may use for a word of a post in this one. */
export function stemmersFor(language: string | null): ReadonlySet<string> {
  const own = stemLanguage(language)
  return own === undefined || ANYWHERE.has(own) ? ANYWHERE : new Set([...ANYWHERE, own])
}

const ANYWHERE: ReadonlySet<string> = new Set(
  [...Object.values(DEFAULTS), 'uk', 'ru', 'fa'].filter((language) => language !== undefined),
)

/** Queries repeat words, and stemming one by every stemmer takes some fifty microseconds. */
const queryTerms = createCache<string, readonly string[]>({ maxEntries: 4096 })

/** Every stem term that a post of any language may have for this word; with `languages`, only those of these stemmers. */
export function stemTermsOfQuery(
  lower: string,
  tok: string,
  languages?: ReadonlySet<string>,
): readonly string[] {
  if (languages) return allStemTerms(lower, tok, languages)
  return queryTerms.getOrMake(lower, () => allStemTerms(lower, tok))
}

const HAS_PARTICLES: ReadonlySet<string> = new Set(['he', 'ar', 'am'])

function allStemTerms(lower: string, tok: string, languages?: ReadonlySet<string>): string[] {
  const script = scriptOf(lower)
  const terms = new Set<string>([tok])
  // Folding drops the hamza, but Arabic endings depend on it.
  const hamza = lower.endsWith('ء') ? 'ء' : ''
  for (const language of BY_SCRIPT.get(script) ?? []) {
    if (languages && !languages.has(language)) continue
    terms.add(applyStemmer(language, lower, tok))
    if (!HAS_PARTICLES.has(language)) continue
    for (const form of formsWithParticles(script, tok))
      terms.add(applyStemmer(language, form + hamza, form))
  }
  return [...terms]
}

/** The language at the end of a stem term; undefined for a term that no stemmer made. */
export function languageOfStem(term: string): string | undefined {
  const slash = term.lastIndexOf('/')
  return slash < 0 ? undefined : term.slice(slash + 1)
}

function languageOfWord(
  lower: string,
  script: Script,
  profile: string | undefined,
): string | undefined {
  if (profile === script) return undefined
  const isOwn = profile !== undefined && STEMMERS.get(profile)?.scripts.includes(script) === true
  // Neighbouring languages quote one another, and a letter that only one of them has tells whose word it is.
  if (script === 'cyrillic' && (!isOwn || profile === 'ru' || profile === 'uk')) {
    if (/[їєґ]/.test(lower)) return 'uk'
    if (/[ыэъё]/.test(lower)) return 'ru'
  }
  if (script === 'arabic' && (!isOwn || profile === 'ar') && /[پچژگ]/.test(lower)) return 'fa'
  return isOwn ? profile : DEFAULTS[script]
}

function applyStemmer(language: string, lower: string, tok: string): string {
  const { stem, folded, short } = STEMMERS.get(language)!
  if (tok.length < (short ? 2 : 3) || tok.length > STEM_UNITS || /[0-9]/.test(tok)) return tok
  const found = folded ? stem(tok) : foldWord(stem(lower))
  return `${found.length < 2 ? tok : found}/${language}`
}

export function scriptOf(word: string): Script {
  const code = word.charCodeAt(0)
  // Includes ə (U+0259), which begins words of Azerbaijani.
  if (code < 0x2b0 || (code >= 0x1e00 && code < 0x1f00)) return 'latin'
  if (code < 0x370) return 'other'
  if (code < 0x400 || (code >= 0x1f00 && code < 0x2000)) return 'greek'
  if (code < 0x530) return 'cyrillic'
  if (code < 0x590) return 'armenian'
  if (code < 0x600) return 'hebrew'
  if (code < 0x700 || (code >= 0x750 && code < 0x780)) return 'arabic'
  if (code >= 0x900 && code < 0x980) return 'devanagari'
  if (code >= 0x980 && code < 0xa00) return 'bengali'
  if (code >= 0xb80 && code < 0xc00) return 'tamil'
  if (code >= 0xc00 && code < 0xc80) return 'telugu'
  if (code >= 0x10a0 && code < 0x1100) return 'georgian'
  if (code >= 0x1200 && code < 0x13a0) return 'ethiopic'
  return 'other'
}
