import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { foldWord } from './fold.ts'
import { createLightStemmer, ENDINGS } from './light-stem.ts'
import { stemPersian } from './stem-persian.ts'

/**
 * Which stemmer a word gets. A post's word gets its post's language where that language writes the word's script,
 * else the script's commonest one; a query's word gets every stemmer of its script, so a query needs no language.
 */

export type Script =
  | 'latin'
  | 'greek'
  | 'cyrillic'
  | 'armenian'
  | 'hebrew'
  | 'arabic'
  | 'devanagari'
  | 'tamil'
  | 'georgian'
  | 'ethiopic'
  | 'other'

interface Stemmer {
  readonly scripts: readonly Script[]
  readonly stem: (lower: string) => string
  /** Takes the folded word instead of the lower-cased one. */
  readonly folded?: boolean
}

const light = (language: string) => createLightStemmer(ENDINGS[language]!)

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
  ['en', { scripts: ['latin'], stem: stemEnglish }],
  ['es', { scripts: ['latin'], stem: spanish }],
  ['pt', { scripts: ['latin'], stem: stemPortuguese }],
  ['de', { scripts: ['latin'], stem: stemGerman }],
  ['fr', { scripts: ['latin'], stem: untilStable(french) }],
  ['it', { scripts: ['latin'], stem: italian }],
  ['tr', { scripts: ['latin'], stem: untilStable(turkish) }],
  ['id', { scripts: ['latin'], stem: indonesian }],
  ['nl', { scripts: ['latin'], stem: stemDutch }],
  ['ro', { scripts: ['latin'], stem: romanian }],
  ['pl', { scripts: ['latin'], stem: light('pl') }],
  ['cs', { scripts: ['latin'], stem: light('cs') }],
  ['sv', { scripts: ['latin'], stem: swedish }],
  ['da', { scripts: ['latin'], stem: danish }],
  ['no', { scripts: ['latin'], stem: untilStable(norwegian) }],
  ['fi', { scripts: ['latin'], stem: finnish }],
  ['hu', { scripts: ['latin'], stem: hungarian }],
  ['lt', { scripts: ['latin'], stem: lithuanian }],
  ['az', { scripts: ['latin'], stem: light('az') }],
  ['uz', { scripts: ['latin', 'cyrillic'], stem: light('uz'), folded: true }],
  ['sr', { scripts: ['latin', 'cyrillic'], stem: serbian }],
  ['ru', { scripts: ['cyrillic'], stem: russian }],
  ['uk', { scripts: ['cyrillic'], stem: ukrainian }],
  ['be', { scripts: ['cyrillic'], stem: light('be') }],
  ['bg', { scripts: ['cyrillic'], stem: light('bg') }],
  ['mk', { scripts: ['cyrillic'], stem: light('mk') }],
  ['kk', { scripts: ['cyrillic'], stem: light('kk') }],
  ['ky', { scripts: ['cyrillic'], stem: light('ky') }],
  ['tt', { scripts: ['cyrillic'], stem: light('tt') }],
  ['tg', { scripts: ['cyrillic'], stem: light('tg') }],
  ['ar', { scripts: ['arabic'], stem: stemArabic }],
  ['fa', { scripts: ['arabic'], stem: stemPersian, folded: true }],
  ['ur', { scripts: ['arabic'], stem: light('ur'), folded: true }],
  ['ckb', { scripts: ['arabic'], stem: light('ckb'), folded: true }],
  ['he', { scripts: ['hebrew'], stem: light('he'), folded: true }],
  ['hi', { scripts: ['devanagari'], stem: hindi }],
  ['ne', { scripts: ['devanagari'], stem: nepali }],
  ['ta', { scripts: ['tamil'], stem: tamil }],
  ['el', { scripts: ['greek'], stem: greek }],
  ['hy', { scripts: ['armenian'], stem: armenian }],
  ['ka', { scripts: ['georgian'], stem: light('ka') }],
  ['am', { scripts: ['ethiopic'], stem: light('am'), folded: true }],
])

/** Codes that mean, or are close enough to, a language above. */
const ALIASES: Readonly<Record<string, string>> = {
  ms: 'id',
  nb: 'no',
  nn: 'no',
  hr: 'sr',
  bs: 'sr',
  sh: 'sr',
  sk: 'cs',
  iw: 'he',
  in: 'id',
  mr: 'hi',
  gl: 'pt',
  ca: 'es',
  ba: 'tt',
  ku: 'ckb',
  ps: 'ur',
}

const DEFAULTS: Readonly<Record<Script, string | undefined>> = {
  latin: 'en',
  greek: 'el',
  cyrillic: 'ru',
  armenian: 'hy',
  hebrew: 'he',
  arabic: 'ar',
  devanagari: 'hi',
  tamil: 'ta',
  georgian: 'ka',
  ethiopic: 'am',
  other: undefined,
}

const BY_SCRIPT = new Map<Script, string[]>()
for (const [language, { scripts }] of STEMMERS) {
  for (const script of scripts) BY_SCRIPT.set(script, [...(BY_SCRIPT.get(script) ?? []), language])
}

/** Words longer than this are names, hashes or noise. */
const STEM_UNITS = 40

/** The language whose stemmer serves this one; undefined where words are kept whole. */
export function stemLanguage(language: string | null): string | undefined {
  if (language === null) return undefined
  const code = ALIASES[language] ?? language
  return STEMMERS.has(code) ? code : undefined
}

/**
 * The stem term of a post's word: the folded stem and the stemmer's language, as in `run/en`. Without the language a
 * query's many stems would meet words of other languages (Norwegian makes "theme" into "the"): on 60 000 real posts
 * that added half as many false postings as there were true ones. Words no stemmer touches are terms as they are.
 */
export function stemTerm(lower: string, tok: string, language: string | undefined): string {
  const script = scriptOf(lower)
  const served = languageOfWord(lower, script, language)
  return served === undefined ? tok : applyStemmer(served, lower, tok)
}

/** Every stem term a post may have given this word, whatever its language (or one of `languages`). */
export function stemTermsOfQuery(
  lower: string,
  tok: string,
  languages: ReadonlySet<string> | undefined,
): string[] {
  const script = scriptOf(lower)
  const terms = new Set<string>([tok])
  for (const language of BY_SCRIPT.get(script) ?? []) {
    if (languages?.has(language) === false) continue
    for (const form of script === 'hebrew' ? hebrewForms(tok) : [lower]) {
      terms.add(applyStemmer(language, form, script === 'hebrew' ? form : tok))
    }
  }
  return [...terms]
}

/**
 * The stemmers' languages that posts of these languages may show, for narrowing a query to what an index holds:
 * words in a foreign script fall back to that script's own.
 */
export function stemLanguagesOf(postLanguages: Iterable<string | null>): Set<string> {
  const held = new Set<string>(['uk', 'fa'])
  for (const fallback of Object.values(DEFAULTS)) if (fallback !== undefined) held.add(fallback)
  for (const language of postLanguages) {
    const served = stemLanguage(language)
    if (served !== undefined) held.add(served)
  }
  return held
}

/** Hebrew glues its particles to the word; a stemmer could not tell them from the word's own letters. */
const HEBREW_PARTICLES = ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'שה', 'מה', 'וב', 'ול']

function hebrewForms(tok: string): string[] {
  const forms = [tok, ...HEBREW_PARTICLES.map((particle) => particle + tok)]
  const bare = /^(?:[ושמכבל]?ה|[ובלמשכ])(?=.{3})/.exec(tok)
  if (!bare) return forms
  const rest = tok.slice(bare[0].length)
  return [...forms, rest, ...HEBREW_PARTICLES.map((particle) => particle + rest)]
}

/** The language at the end of a stem term; undefined for a term that no stemmer made. */
export function languageOfStem(term: string): string | undefined {
  const slash = term.lastIndexOf('/')
  return slash < 0 ? undefined : term.slice(slash + 1)
}

function languageOfWord(
  lower: string,
  script: Script,
  language: string | undefined,
): string | undefined {
  const own = language !== undefined && STEMMERS.get(language)!.scripts.includes(script)
  // Neighbours quote one another: a letter that only one of them has tells whose word it is.
  if (script === 'cyrillic' && (!own || language === 'ru' || language === 'uk')) {
    if (/[їєґ]/.test(lower)) return 'uk'
    if (/[ыэъё]/.test(lower)) return 'ru'
  }
  if (script === 'arabic' && (!own || language === 'ar') && /[پچژگ]/.test(lower)) return 'fa'
  return own ? language : DEFAULTS[script]
}

function applyStemmer(language: string, lower: string, tok: string): string {
  if (tok.length < 3 || tok.length > STEM_UNITS || /[0-9]/.test(tok)) return tok
  const { stem, folded } = STEMMERS.get(language)!
  const found = folded ? stem(tok) : foldWord(stem(lower))
  return `${found.length < 2 ? tok : found}/${language}`
}

export function scriptOf(word: string): Script {
  const code = word.charCodeAt(0)
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 'latin'
  if (code < 0x370) return 'other'
  if (code < 0x400 || (code >= 0x1f00 && code < 0x2000)) return 'greek'
  if (code < 0x530) return 'cyrillic'
  if (code < 0x590) return 'armenian'
  if (code < 0x600) return 'hebrew'
  if (code < 0x700 || (code >= 0x750 && code < 0x780)) return 'arabic'
  if (code >= 0x900 && code < 0x980) return 'devanagari'
  if (code >= 0xb80 && code < 0xc00) return 'tamil'
  if (code >= 0x10a0 && code < 0x1100) return 'georgian'
  if (code >= 0x1200 && code < 0x13a0) return 'ethiopic'
  return 'other'
}

/** Porter's rules would make these meet words of another meaning. */
const ENGLISH_EXCEPTIONS = new Map(
  Object.entries({
    news: 'news',
    university: 'university',
    universities: 'university',
    universal: 'universal',
    organization: 'organization',
    organizations: 'organization',
    organisation: 'organization',
    organisations: 'organization',
    general: 'general',
    generals: 'general',
    generally: 'general',
    generation: 'generation',
    generations: 'generation',
    policy: 'policy',
    policies: 'policy',
    police: 'police',
    animal: 'animal',
    animals: 'animal',
  }),
)

function stemEnglish(word: string): string {
  return ENGLISH_EXCEPTIONS.get(word) ?? english(word)
}

/** Snowball's German with the digraphs read as umlauts: Mueller is Müller. */
function stemGerman(word: string): string {
  const umlauts = word.replace(/(?<![qaeou])([aou])e/g, (_, vowel: string) =>
    vowel === 'a' ? 'ä' : vowel === 'o' ? 'ö' : 'ü',
  )
  return german(umlauts)
}

/** The plural of -ão and -al, which Snowball leaves apart. */
function stemPortuguese(word: string): string {
  return portuguese(word.length > 5 ? word.replace(/[õãoa]es$/, 'ão').replace(/ais$/, 'al') : word)
}

/** huizen is of huis, brieven of brief. */
function stemDutch(word: string): string {
  return dutch(word).replace(/[zv]$/, (letter) => (letter === 'z' ? 's' : 'f'))
}

/** Where one pass over türkiyenin only gives türkiye, whose own stem is türki. */
function untilStable(stem: (word: string) => string): (word: string) => string {
  return (word) => {
    const once = stem(word)
    const twice = stem(once)
    return twice === once || twice.length < 3 ? once : stem(twice)
  }
}

/** Snowball's Arabic leaves a conjunction before the article. */
function stemArabic(word: string): string {
  const bare = word.length > 5 ? word.replace(/^[وفبك]ال|^ولل?|^لل/, '') : word
  return arabic(bare)
}
