import { createLightStemmer, ENDINGS } from './light-stem.ts'

/** Hebrew and Amharic, in folded letters, and the particles that they and Arabic attach to words. */

/** Feminine endings are unified and not cut: ממשלה, ממשלת and ממשלות have one stem, but חברה is no form of חבר. */
export function stemHebrew(word: string): string {
  if (word.length < 3) return word
  const stem = word.replace(/(?<=...)ימ$|(?<=...)י$/, '')
  return stem === word ? word.replace(/(?:ה|(?<=..)ות)$/, 'ת') : stem
}

const amharic = createLightStemmer(ENDINGS['am']!)

/** Each row of eight is a consonant with its vowels; an ending changes the vowel before it. */
const U = 1
const A = 3
const BARE = 5
const O = 6

export function stemAmharic(word: string): string {
  const object = word.replace(/(?<=..ች)ን$/, '')
  const stem = amharic(object.replace(/^አገር/, 'ሀገር'))
  const last = stem.length - 1
  if (stem.endsWith('ች') && vowelAt(stem, last - 1) === O) return bareAt(stem, last - 1)
  if (stem.endsWith('ት') && last > 2 && vowelAt(stem, last - 1) === A) return bareAt(stem, last - 1)
  return last > 0 && vowelAt(stem, last) === U ? bareAt(stem, last) : stem
}

/** -1 for a letter of another script, in which changing these bits would give an unrelated character or half of one. */
function vowelAt(word: string, index: number): number {
  return /[\u1200-\u137f]/.test(word.charAt(index)) ? word.charCodeAt(index) & 7 : -1
}

/** The word up to `index`, its last letter without a vowel. */
function bareAt(word: string, index: number): string {
  return word.slice(0, index) + String.fromCharCode((word.charCodeAt(index) & ~7) | BARE)
}

const HEBREW = {
  particles: ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'שה', 'מה', 'וב', 'ול'],
  bare: /^(?:[ושמכבל]?ה|[ובלמשכ])(?=.{3})/,
}
const ARABIC = {
  particles: ['و', 'ب', 'ل', 'ف', 'ک'],
  bare: /^(?:و(?=.{3})|[بل](?=.{4}|..ه$))/,
}
const AMHARIC = { particles: ['የ', 'በ', 'ለ', 'ከ'], bare: /^[የበለከ](?=..$)/ }

/**
 * The forms of a query's word that posts may hold: with each particle, and without its own. A stemmer could not tell
 * particles from letters of the word.
 */
export function formsWithParticles(script: string, tok: string): readonly string[] {
  const { particles, bare } = script === 'hebrew' ? HEBREW : script === 'arabic' ? ARABIC : AMHARIC
  const forms = [tok]
  if (script === 'arabic' && tok.length === 3 && !tok.endsWith('ه')) forms.push(`و${tok}`)
  else if (script !== 'ethiopic' || tok.length === 2) {
    forms.push(...particles.map((particle) => particle + tok))
  }
  const found = bare.exec(tok)
  if (!found) return forms
  const rest = tok.slice(found[0].length)
  return [...forms, rest, ...particles.map((particle) => particle + rest)]
}
