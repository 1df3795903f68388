import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { createLightStemmer, ENDINGS } from './light-stem.ts'
import { stemArabic } from './stem-arabic.ts'
import { stemEnglish } from './stem-english.ts'
import {
  stemArmenian,
  stemFinnish,
  stemGreek,
  stemHindi,
  stemHungarian,
  stemIndonesian,
  stemOromo,
  stemTurkish,
  stemUzbek,
} from './stem-further.ts'
import { stemDutch, stemGerman, stemSwedish } from './stem-germanic.ts'
import { stemPersian } from './stem-persian.ts'
import {
  stemFrench,
  stemItalian,
  stemPortuguese,
  stemRomanian,
  stemSpanish,
} from './stem-romance.ts'
import { stemAmharic, stemHebrew } from './stem-semitic.ts'
import {
  stemBulgarian,
  stemCzech,
  stemPolish,
  stemRussian,
  stemSerbian,
  stemUkrainian,
} from './stem-slavic.ts'
import { stemSwahili } from './stem-swahili.ts'
import { stemTelugu } from './stem-telugu.ts'
import { untilStable } from './until-stable.ts'

/**
 * The stemmers by language: Snowball's from `@orama/stemmers`, corrected where they separate forms of one word, and our
 * own where there is none (its Bulgarian throws).
 */

export type Script =
  | 'latin'
  | 'greek'
  | 'cyrillic'
  | 'armenian'
  | 'hebrew'
  | 'arabic'
  | 'devanagari'
  | 'bengali'
  | 'tamil'
  | 'telugu'
  | 'georgian'
  | 'ethiopic'
  | 'other'

interface Stemmer {
  readonly scripts: readonly Script[]
  readonly stem: (lower: string) => string
  /** Takes the folded word instead of the lower-cased one. */
  readonly folded?: boolean
  /** Also stems words of two letters, which in this language are nouns that take endings. */
  readonly short?: boolean
}

const light = (language: string) => createLightStemmer(ENDINGS[language]!)

export const STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
  ['en', { scripts: ['latin'], stem: stemEnglish }],
  ['es', { scripts: ['latin'], stem: stemSpanish }],
  ['pt', { scripts: ['latin'], stem: stemPortuguese }],
  ['de', { scripts: ['latin'], stem: stemGerman }],
  ['fr', { scripts: ['latin'], stem: stemFrench }],
  ['it', { scripts: ['latin'], stem: stemItalian }],
  ['tr', { scripts: ['latin'], stem: stemTurkish, short: true }],
  ['id', { scripts: ['latin'], stem: stemIndonesian }],
  ['nl', { scripts: ['latin'], stem: stemDutch }],
  ['ro', { scripts: ['latin'], stem: stemRomanian }],
  ['pl', { scripts: ['latin'], stem: stemPolish }],
  ['cs', { scripts: ['latin'], stem: stemCzech }],
  ['sv', { scripts: ['latin'], stem: stemSwedish }],
  ['da', { scripts: ['latin'], stem: danish }],
  ['no', { scripts: ['latin'], stem: untilStable(norwegian) }],
  ['fi', { scripts: ['latin'], stem: stemFinnish }],
  ['hu', { scripts: ['latin'], stem: stemHungarian, short: true }],
  ['lt', { scripts: ['latin'], stem: lithuanian }],
  ['az', { scripts: ['latin'], stem: light('az'), short: true }],
  ['uz', { scripts: ['latin', 'cyrillic'], stem: stemUzbek }],
  ['om', { scripts: ['latin'], stem: stemOromo }],
  ['sw', { scripts: ['latin'], stem: stemSwahili }],
  ['sr', { scripts: ['latin', 'cyrillic'], stem: stemSerbian }],
  ['ru', { scripts: ['cyrillic'], stem: stemRussian }],
  ['uk', { scripts: ['cyrillic'], stem: stemUkrainian }],
  ['be', { scripts: ['cyrillic'], stem: light('be') }],
  ['bg', { scripts: ['cyrillic'], stem: stemBulgarian }],
  ['mk', { scripts: ['cyrillic'], stem: light('mk') }],
  ['kk', { scripts: ['cyrillic'], stem: light('kk'), short: true }],
  ['ky', { scripts: ['cyrillic'], stem: light('ky') }],
  ['tt', { scripts: ['cyrillic'], stem: light('tt') }],
  ['tg', { scripts: ['cyrillic'], stem: light('tg') }],
  ['ar', { scripts: ['arabic'], stem: stemArabic }],
  ['fa', { scripts: ['arabic'], stem: stemPersian, folded: true }],
  ['ur', { scripts: ['arabic'], stem: light('ur'), folded: true }],
  ['ckb', { scripts: ['arabic'], stem: light('ckb'), folded: true }],
  ['he', { scripts: ['hebrew'], stem: stemHebrew, folded: true }],
  ['hi', { scripts: ['devanagari'], stem: stemHindi }],
  ['ne', { scripts: ['devanagari'], stem: nepali }],
  ['bn', { scripts: ['bengali'], stem: light('bn'), folded: true, short: true }],
  ['ta', { scripts: ['tamil'], stem: tamil }],
  ['te', { scripts: ['telugu'], stem: stemTelugu, folded: true }],
  ['el', { scripts: ['greek'], stem: stemGreek }],
  ['hy', { scripts: ['armenian'], stem: stemArmenian }],
  ['ka', { scripts: ['georgian'], stem: light('ka') }],
  ['am', { scripts: ['ethiopic'], stem: stemAmharic, folded: true, short: true }],
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

/** Languages without a stemmer, whose words of this script are not stemmed: a neighbour's stemmer would only do harm. */
export const UNSTEMMED: Readonly<Record<string, Script>> = Object.fromEntries([
  ...'vi et lv sl sq eu eo tl so ha yo ig zu xh af is mt cy ga tk mg ht jv su ceb la lb'
    .split(' ')
    .map((code) => [code, 'latin'] as const),
  ...'mn cv os ce ab'.split(' ').map((code) => [code, 'cyrillic'] as const),
  ...'ps ug sd'.split(' ').map((code) => [code, 'arabic'] as const),
  ...'mr sa'.split(' ').map((code) => [code, 'devanagari'] as const),
])

/** The stemmer for words of a script that the post's language does not use, or whose language is unknown. */
export const DEFAULTS: Readonly<Record<Script, string | undefined>> = {
  latin: 'en',
  greek: 'el',
  cyrillic: 'ru',
  armenian: 'hy',
  hebrew: 'he',
  arabic: 'ar',
  devanagari: 'hi',
  bengali: 'bn',
  tamil: 'ta',
  telugu: 'te',
  georgian: 'ka',
  ethiopic: 'am',
  other: undefined,
}
