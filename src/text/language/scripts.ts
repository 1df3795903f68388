/** Writing systems by code unit, and the languages that have one to themselves. */

export const SCRIPT_NAMES = [
  'none',
  'Latin',
  'Cyrillic',
  'Arabic',
  'Devanagari',
  'Han',
  'Kana',
  'Hangul',
  'Hebrew',
  'Ethiopic',
  'Greek',
  'Armenian',
  'Georgian',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Odia',
  'Bengali',
  'Tibetan',
  'Thaana',
  'Mongolian',
] as const
export type Script = (typeof SCRIPT_NAMES)[number]

const RANGES: Readonly<Partial<Record<Script, readonly (readonly [number, number])[]>>> = {
  Latin: [
    [0x41, 0x5a],
    [0x61, 0x7a],
    [0xaa, 0xaa],
    [0xba, 0xba],
    [0xc0, 0xd6],
    [0xd8, 0xf6],
    [0xf8, 0x2af],
    [0x1e00, 0x1eff],
    [0xfb00, 0xfb06],
  ],
  Cyrillic: [
    [0x400, 0x52f],
    [0x1c80, 0x1c88],
  ],
  Arabic: [
    [0x620, 0x64a],
    [0x66e, 0x66f],
    [0x671, 0x6d3],
    [0x6d5, 0x6d5],
    [0x6e5, 0x6e6],
    [0x6ee, 0x6ef],
    [0x6fa, 0x6ff],
    [0x750, 0x77f],
    [0x8a0, 0x8c9],
    [0xfb50, 0xfdfb],
    [0xfe70, 0xfefc],
  ],
  Devanagari: [
    [0x900, 0x963],
    [0x970, 0x97f],
  ],
  Han: [
    [0x3005, 0x3007],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
  ],
  Kana: [
    [0x3041, 0x3096],
    [0x309d, 0x309f],
    [0x30a1, 0x30ff],
    [0x31f0, 0x31ff],
    [0xff66, 0xff9d],
  ],
  Hangul: [
    [0x1100, 0x11ff],
    [0x3131, 0x318e],
    [0xac00, 0xd7a3],
  ],
  Hebrew: [
    [0x591, 0x5bd],
    [0x5d0, 0x5f2],
    [0xfb1d, 0xfb4f],
  ],
  Ethiopic: [
    [0x1200, 0x135a],
    [0x1380, 0x138f],
    [0x2d80, 0x2dde],
  ],
  Greek: [
    [0x370, 0x373],
    [0x376, 0x377],
    [0x37b, 0x37d],
    [0x386, 0x386],
    [0x388, 0x3ff],
    [0x1f00, 0x1fff],
  ],
  Armenian: [
    [0x531, 0x556],
    [0x561, 0x587],
  ],
  Georgian: [
    [0x10a0, 0x10ff],
    [0x1c90, 0x1cbf],
  ],
  Thai: [
    [0xe01, 0xe3a],
    [0xe40, 0xe4e],
  ],
  Lao: [
    [0xe81, 0xecd],
    [0xedc, 0xedf],
  ],
  Khmer: [[0x1780, 0x17d3]],
  Myanmar: [
    [0x1000, 0x103f],
    [0x1050, 0x108f],
  ],
  Sinhala: [[0xd80, 0xddf]],
  Tamil: [[0xb80, 0xbd7]],
  Telugu: [[0xc00, 0xc63]],
  Kannada: [[0xc80, 0xce3]],
  Malayalam: [[0xd00, 0xd63]],
  Gujarati: [[0xa80, 0xae3]],
  Gurmukhi: [
    [0xa00, 0xa5e],
    [0xa70, 0xa75],
  ],
  Odia: [[0xb00, 0xb63]],
  Bengali: [
    [0x980, 0x9e3],
    [0x9f0, 0x9f1],
  ],
  Tibetan: [
    [0xf00, 0xf00],
    [0xf40, 0xfbc],
  ],
  Thaana: [[0x780, 0x7b1]],
  Mongolian: [[0x1820, 0x1878]],
}

/** Apostrophes, combining marks, tatweel, soft hyphen: inside a word they belong to it. */
const JOINERS: readonly (readonly [number, number])[] = [
  [0x27, 0x27],
  [0x60, 0x60],
  [0xad, 0xad],
  [0xb4, 0xb4],
  [0x2b9, 0x2bf],
  [0x300, 0x36f],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x2018, 0x2019],
]

const TABLE = new Int8Array(0x10000)
for (const [name, ranges] of Object.entries(RANGES)) {
  for (const [from, to] of ranges) TABLE.fill(SCRIPT_NAMES.indexOf(name as Script), from, to + 1)
}
for (const [from, to] of JOINERS) TABLE.fill(-1, from, to + 1)
// Tatweel stretches a word and is no letter.
TABLE[0x640] = -1

/** Index into SCRIPT_NAMES; 0 for what separates words, -1 for what may stand inside one. */
export function scriptOf(codeUnit: number): number {
  return TABLE[codeUnit] ?? 0
}

/** The language of a script that one language has to itself, as far as posts go. */
export const SCRIPT_LANGUAGE: ReadonlyMap<Script, string> = new Map([
  ['Greek', 'el'],
  ['Armenian', 'hy'],
  ['Georgian', 'ka'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Sinhala', 'si'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Odia', 'or'],
  ['Tibetan', 'bo'],
  ['Thaana', 'dv'],
  ['Mongolian', 'mn'],
] satisfies readonly (readonly [Script, string])[])
