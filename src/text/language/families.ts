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

/** In Cyrillic an alphabet decides; in Latin, names bring letters from everywhere. */
export const FOREIGN_WEIGHTS: ReadonlyMap<Script, number> = new Map([
  ['Latin', 20],
  ['Cyrillic', 14],
  ['Arabic', 12],
  ['Devanagari', 5],
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
