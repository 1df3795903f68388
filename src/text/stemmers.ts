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
import { createLightStemmer, ENDINGS } from './light-stem.ts'
import { stemPersian } from './stem-persian.ts'

/**
 * The stemmers, by language: Snowball's from `@orama/stemmers`, mended where they part what belongs together, and
 * our own where there is none (its Bulgarian throws).
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

export interface Stemmer {
  readonly scripts: readonly Script[]
  readonly stem: (lower: string) => string
  /** Takes the folded word instead of the lower-cased one. */
  readonly folded?: boolean
}

const light = (language: string) => createLightStemmer(ENDINGS[language]!)

export const STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
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
export const ALIASES: Readonly<Record<string, string>> = {
  ms: 'id',
  nb: 'no',
  nn: 'no',
  hr: 'sr',
  bs: 'sr',
  sh: 'sr',
  sk: 'cs',
  iw: 'he',
  in: 'id',
  gl: 'pt',
  ca: 'es',
  ba: 'tt',
  ku: 'ckb',
}

/** Languages without a stemmer: a neighbour's would only do harm to words of their script. */
export const WHOLE: Readonly<Record<string, Script>> = Object.fromEntries([
  ...'vi et lv sl sq eu eo tl sw so ha yo ig zu xh af is mt cy ga tk mg ht jv su ceb la lb'
    .split(' ')
    .map((code) => [code, 'latin'] as const),
  ...'mn cv os ce ab'.split(' ').map((code) => [code, 'cyrillic'] as const),
  ...'ps ug sd'.split(' ').map((code) => [code, 'arabic'] as const),
  ...'mr sa'.split(' ').map((code) => [code, 'devanagari'] as const),
])

/** The stemmer of a word whose post is in a language of another script. */
export const DEFAULTS: Readonly<Record<Script, string | undefined>> = {
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
    united: 'united',
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
