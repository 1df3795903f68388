/** Scripts that several languages share, how the languages are told apart, and how the model labels them. */
import { ARABIC_PROFILES, DEVANAGARI_PROFILES } from './profiles-arabic.ts'
import { CYRILLIC_PROFILES } from './profiles-cyrillic.ts'
import { LATIN_PROFILES } from './profiles-latin.ts'
import type { Profile } from './profile.ts'
import type { Script } from './scripts.ts'

interface Family {
  readonly profiles: readonly Profile[]
  readonly weights: VoteWeights
  /**
   * What is subtracted from the vote of each language, 0 unless given. Fitted together with the weights on public sentences
   * and pairs of words, in which the languages of most channels counted more often than others, and then adjusted by hand for
   * eight: Malay is reported as Indonesian where the two cannot be told apart. A high number offsets a model that favours a
   * language too much.
   */
  readonly priors: ReadonlyMap<string, number>
}

/** How much each voice counts; fitted so that a score is the share of right answers (docs/search-quality.md). */
interface VoteWeights {
  /** The weight of the logarithm of a language's probability by lid.176, to which `floor` is added. */
  readonly model: number
  readonly floor: number
  /** The weights of a common word and of a frequent ending. */
  readonly word: number
  readonly ending: number
  /** Evidence grows more slowly than the text: it is divided by the number of words to this power. */
  readonly evidenceExponent: number
  /** The weight of a word with a letter that the language does not have, divided likewise. */
  readonly foreign: number
  readonly foreignExponent: number
}

export const FAMILIES: Readonly<Partial<Record<Script, Family>>> = {
  Latin: {
    profiles: LATIN_PROFILES,
    weights: {
      model: 0.92,
      floor: 0.00348,
      word: 7.01,
      ending: 2.78,
      evidenceExponent: 0.38,
      foreign: 6.31,
      foreignExponent: 0.37,
    },
    priors: priors(
      'uz -0.79 en 0.8 es 0.37 pt 0.33 fr 0.65 de 0.98 it 0.56 nl 0.73 sv 0.34 da 0.17 no 0 fi 0.47 et -0.46 lv -0.16 lt 0.28 pl 0.64 cs 0.59 sk -0.14 sl -0.59 hr -0.09 sr 1.1 sq -0.15 ro -0.51 hu 0.74 tr 0.00 az 0.01 tk -0.34 id 0.00 ms 2.05 jv -0.35 su 0.12 tl -0.34 ceb -0.38 vi 1.07 sw -1.26 so -1.41 om -1.08 ha -0.88 yo -0.94 ig -0.83 zu -1.62 af -0.55 ca 0.17 gl -0.22 eu -0.28 ga -0.73 cy -0.54 is 0.24 eo 0.55 la -0.3 mt 0.09 ku -0.33 ht 0.13 mg 0.12 hi-Latn 0 fa-Latn 0.1 ar-Latn 0.12 ckb-Latn 0.11',
    ),
  },
  Cyrillic: {
    profiles: CYRILLIC_PROFILES,
    weights: {
      model: 1.0,
      floor: 0.00167,
      word: 5.73,
      ending: 1.78,
      evidenceExponent: 0.26,
      foreign: 3.77,
      foreignExponent: 0.22,
    },
    priors: priors(
      'uz -2.47 ru 0.80 uk 0.38 be 0.47 bg -0.07 mk 0.34 sr -0.71 kk 0.77 ky -0.84 tg -1.19 tt -0.42 mn -0.6 ba 0.28 cv 0.09 ce 0.18 os 0.04 sah 0.15',
    ),
  },
  Arabic: {
    profiles: ARABIC_PROFILES,
    weights: {
      model: 0.58,
      floor: 0.0003,
      word: 3.42,
      ending: 0.91,
      evidenceExponent: 0.05,
      foreign: 4.84,
      foreignExponent: 0.47,
    },
    priors: priors('ar 0.43 fa 0.05 ur 0.26 ps -1.02 ckb -0.1 ug 1.14 sd -0.74'),
  },
  Devanagari: {
    profiles: DEVANAGARI_PROFILES,
    weights: {
      model: 0.97,
      floor: 0.0004,
      word: 4.8,
      ending: 1.39,
      evidenceExponent: 0.2,
      foreign: 7.18,
      foreignExponent: 0.47,
    },
    priors: priors('hi 0.69 mr -0.32 ne -0.73 sa 0.38 bh 0.19'),
  },
}

function priors(pairs: string): ReadonlyMap<string, number> {
  const parts = pairs.split(' ')
  return new Map(
    parts.flatMap((code, i) => (i % 2 === 0 ? [[code, Number(parts[i + 1])] as const] : [])),
  )
}

/** Labels of lid.176 that count for a larger related language: dialects that nobody filters by. */
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
