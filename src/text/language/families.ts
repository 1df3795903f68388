/** Scripts that several languages share, and how the model names those languages. */
import { ARABIC_PROFILES, DEVANAGARI_PROFILES } from './profiles-arabic.ts'
import { CYRILLIC_PROFILES } from './profiles-cyrillic.ts'
import { LATIN_PROFILES } from './profiles-latin.ts'
import type { Profile } from './profile.ts'
import type { Script } from './scripts.ts'

export const SHARED_SCRIPTS: ReadonlyMap<Script, readonly Profile[]> = new Map([
  ['Latin', LATIN_PROFILES],
  ['Cyrillic', CYRILLIC_PROFILES],
  ['Arabic', ARABIC_PROFILES],
  ['Devanagari', DEVANAGARI_PROFILES],
])

/** How much each voice counts; fitted to give scores that are shares of right answers (docs/search-quality.md). */
interface VoteWeights {
  /** Of the logarithm of what lid.176 gives a language, which is never less than `floor`. */
  readonly model: number
  readonly floor: number
  /** Of a common word, and of a frequent ending. */
  readonly word: number
  readonly ending: number
  /** Evidence grows more slowly than the text: it is divided by the number of words to this power. */
  readonly evidenceExponent: number
  /** Of a word with a letter the language does not have, divided likewise. */
  readonly foreign: number
  readonly foreignExponent: number
}

export const VOTE_WEIGHTS: ReadonlyMap<Script, VoteWeights> = new Map([
  [
    'Latin',
    {
      model: 0.92,
      floor: 0.00348,
      word: 7.01,
      ending: 2.78,
      evidenceExponent: 0.38,
      foreign: 6.31,
      foreignExponent: 0.37,
    },
  ],
  [
    'Cyrillic',
    {
      model: 1.0,
      floor: 0.00167,
      word: 5.73,
      ending: 1.78,
      evidenceExponent: 0.26,
      foreign: 3.77,
      foreignExponent: 0.22,
    },
  ],
  [
    'Arabic',
    {
      model: 0.58,
      floor: 0.0003,
      word: 3.42,
      ending: 0.91,
      evidenceExponent: 0.05,
      foreign: 4.84,
      foreignExponent: 0.47,
    },
  ],
  [
    'Devanagari',
    {
      model: 0.97,
      floor: 0.0004,
      word: 4.8,
      ending: 1.39,
      evidenceExponent: 0.2,
      foreign: 7.18,
      foreignExponent: 0.47,
    },
  ],
])

/** Labels of lid.176 that count for a larger neighbour; dialects a filter would not be asked for. */
export const MODEL_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: 'arz',
    az: 'azb',
    ceb: 'war',
    de: 'als bar pfl nds frr',
    en: 'sco',
    es: 'cbk',
    fa: 'lrc mzn',
    hi: 'mai hif',
    hr: 'sh bs',
    id: 'min',
    it: 'eml lmo pms vec nap scn',
    ku: 'diq',
    mn: 'bxr',
    mr: 'gom',
    ne: 'dty',
    nl: 'vls li',
    no: 'nn',
    pt: 'mwl',
    tl: 'bcl ilo pam',
    uk: 'rue',
    ur: 'pnb',
  }).flatMap(([code, labels]) => labels.split(' ').map((label) => [label, code] as const)),
)
