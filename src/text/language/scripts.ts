/** Scripts by code unit, and the languages that are the only ones to use theirs. */

/** The code units of each script, in hexadecimal, both ends included; and the language if only one is found in posts. */
const SCRIPTS = {
  Latin: ['41-5a 61-7a aa ba c0-d6 d8-f6 f8-2af 1e00-1eff fb00-fb06'],
  Cyrillic: ['400-52f 1c80-1c88'],
  Arabic: [
    '620-64a 66e-66f 671-6d3 6d5 6e5-6e6 6ee-6ef 6fa-6ff 750-77f 8a0-8c9 fb50-fdfb fe70-fefc',
  ],
  Devanagari: ['900-963 970-97f'],
  Han: ['3005-3007 3400-4dbf 4e00-9fff f900-faff'],
  Kana: ['3041-3096 309d-309f 30a1-30ff 31f0-31ff ff66-ff9d'],
  Hangul: ['1100-11ff 3131-318e ac00-d7a3'],
  Hebrew: ['591-5bd 5d0-5f2 fb1d-fb4f'],
  Ethiopic: ['1200-135a 1380-138f 2d80-2dde'],
  Greek: ['370-373 376-377 37b-37d 386 388-3ff 1f00-1fff', 'el'],
  Armenian: ['531-556 561-587', 'hy'],
  Georgian: ['10a0-10ff 1c90-1cbf', 'ka'],
  Thai: ['e01-e3a e40-e4e', 'th'],
  Lao: ['e81-ecd edc-edf', 'lo'],
  Khmer: ['1780-17d3', 'km'],
  Myanmar: ['1000-103f 1050-108f', 'my'],
  Sinhala: ['d80-ddf', 'si'],
  Tamil: ['b80-bd7', 'ta'],
  Telugu: ['c00-c63', 'te'],
  Kannada: ['c80-ce3', 'kn'],
  Malayalam: ['d00-d63', 'ml'],
  Gujarati: ['a80-ae3', 'gu'],
  Gurmukhi: ['a00-a5e a70-a75', 'pa'],
  Odia: ['b00-b63', 'or'],
  Bengali: ['980-9e3 9f0-9f1'],
  Tibetan: ['f00 f40-fbc', 'bo'],
  Thaana: ['780-7b1', 'dv'],
  Mongolian: ['1820-1878', 'mn'],
} as const satisfies Record<string, readonly [units: string, language?: string]>
export type Script = keyof typeof SCRIPTS

const NAMES = Object.keys(SCRIPTS) as readonly Script[]

/** Apostrophes, combining marks, tatweel and soft hyphen, which belong to a word when inside it. */
const JOINERS = '27 60 ad b4 2b9-2bf 300-36f 610-61a 64b-65f 670 6d6-6dc 2018-2019 640'

const TABLE = new Int8Array(0x10000)
for (const script of NAMES) mark(SCRIPTS[script][0], numberOf(script))
mark(JOINERS, -1)

function mark(units: string, value: number): void {
  for (const range of units.split(' ')) {
    const [from = 0, to = from] = range.split('-').map((end) => Number.parseInt(end, 16))
    TABLE.fill(value, from, to + 1)
  }
}

/** The number of a unit's script; 0 for what separates words, -1 for what may stand inside one. */
export function scriptOf(codeUnit: number): number {
  return TABLE[codeUnit] ?? 0
}

/** Counted from 1. */
export function numberOf(script: Script): number {
  return NAMES.indexOf(script) + 1
}

export function scriptOfNumber(number: number): Script | null {
  return NAMES[number - 1] ?? null
}

export const SCRIPT_COUNT = NAMES.length

/** The language of a script that only one language uses. */
export function languageOfScript(script: Script): string | undefined {
  return SCRIPTS[script][1]
}
