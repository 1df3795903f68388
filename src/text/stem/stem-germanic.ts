import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { formsOf } from './irregular.ts'

/** Snowball's German, Dutch and Swedish, corrected. */

/** Digraphs are read as umlauts: Mueller is Müller. */
export function stemGerman(word: string): string {
  const umlauts = word.replace(/(?<![qaeou])([aou])e/g, (_, vowel: string) =>
    vowel === 'a' ? 'ä' : vowel === 'o' ? 'ö' : 'ü',
  )
  // Autos, Handys, Kanadas.
  return german(umlauts.replace(/(?<=...[aioy])s$/, ''))
}

const DUTCH = formsOf(`
  kind: kinderen kinders ; stad: steden ; dag: dagen ; weg: wegen ; schip: schepen ; lid: leden ; dak: daken
  ; glas: glazen ; gat: gaten ; god: goden ; weten: weten
`)

/** huizen is stemmed like huis, brieven like brief, bommen like bom and bomen like boom. */
export function stemDutch(word: string): string {
  const known = DUTCH.get(word)
  if (known !== undefined) return known
  const noun = word
    .replace(/(?<=ee)ën$/, '')
    .replace(/(?<=..(?:[aou]|en))s$/, '')
    .replace(/(?<=(aa|ee|oo|uu)[fgklmnp])t$/, '')
  const short = /^([^aeiou]*)([aeou])([^aeiou])en?$/.exec(noun)
  if (short) return hard(`${short[1]}${short[2]}${short[2]}${short[3]}`)
  const isShort = /^[^aeiouy]*(?:aa|ee|oo|uu)[^aeiouy]+$/.test(noun)
  return hard(isShort ? noun : dutch(noun).replace(/([bdfgklmnprst])\1$/, '$1'))
}

function hard(stem: string): string {
  return stem.replace(/[zv]$/, (letter) => (letter === 'z' ? 's' : 'f'))
}

const SWEDISH = formsOf(`
  bok: bok boken bokens böcker böckerna ; man: man mannen mannens män männen ; fot: fot foten fötter fötterna
  ; son: son sonen söner sönerna ; planet: planet planeten planeter ; roman: roman romanen romaner
  ; organ: organ organet ; orkan: orkan orkanen orkaner ; raket: raket raketen raketer raketerna
  ; paket: paket paketet paketen ; poet: poet poeten poeter ; år: året åren årets
`)

/** Words whose last letters look like a genitive or a plural. */
const SWEDISH_OWN =
  /^(.*(?:plats|sats|gräns|kurs|chans|balans|(?:kt|mot|dat|senat)or))(?:e?ns?|er|ers|erna|ernas)?$/

/** huset is stemmed like hus, flickan like flicka. */
export function stemSwedish(word: string): string {
  const known = SWEDISH.get(word) ?? SWEDISH_OWN.exec(word)?.[1]
  if (known !== undefined) return known
  return swedish(word).replace(/(?<=..[bcdfgklmnprstvx])(?:(?<!it|h)et|an)$/, '')
}
