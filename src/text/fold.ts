/* oxlint-disable no-misleading-character-class, no-control-regex -- the classes name code points, not what they look like */
import { fancyLetter } from './characters.ts'

/**
 * Unifies the spellings that people mix. `lowerWord` keeps the accents, which stemmers need; `foldWord` removes
 * them. Both work on one word at a time: the text as a whole is never normalised, so offsets stay valid.
 */

/** Terms longer than this are cut, so that every engine indexes them whole. */
export const TERM_UNITS = 64

const IGNORED =
  /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0'`\u00b4\u02b9-\u02bf\u02c8\u2018\u2019\u201b\u2032\uff07\u05f3"\u05f4\u201d,\s]/gu
/** Words of one alphabet that need no repair, as nearly all are. */
const PLAIN =
  /^(?:[A-Za-z0-9À-ÖØ-öø-įıĴ-ľŁ-ňŊ-ž]+|[\u0400-\u0481\u048a-\u052f]+|[\u0621-\u063a\u0641-\u064a\u066e-\u0674\u0679-\u06d3]+)$/
const NON_ASCII = /[^\x00-\x7f]/
const ASTRAL = /[\ud800-\udfff]/

/** Lower case, with plain letters for compatibility forms and fancy fonts, ASCII digits, and no hidden characters. */
export function lowerWord(raw: string): string {
  if (PLAIN.test(raw)) return raw.toLowerCase()
  let word = raw
  if (ASTRAL.test(word)) {
    word = word.replace(/[\u{1f130}-\u{1f189}]/gu, (c) => fancyLetter(c.codePointAt(0)!) ?? c)
  }
  // U+0E33 and U+0EB3 come apart under NFKC, but Thai and Lao never come here.
  word = word.normalize('NFKC').replace(IGNORED, '').toLowerCase().normalize('NFC')
  // A mark that composes with no letter is a stress mark or decoration, and would hide the ending from a stemmer.
  word = word.replace(/[\u0300-\u036f]+/g, '').replace(DIGITS, asciiDigit)
  return isMixed(word) ? unmixed(word) : word
}

/** Lower case by the rules of Turkish and Azerbaijani. */
export function lowerTurkishWord(raw: string): string {
  return lowerWord(raw.replace(/I/g, 'ı').replace(/İ/g, 'i'))
}

/** The exact form: the result of `lowerWord` without accents and with one letter for each script's variants of it. */
export function foldWord(lower: string): string {
  if (!NON_ASCII.test(lower)) return cut(lower)
  let folded = ''
  for (let i = 0; i < lower.length; i++) {
    const unit = lower.charCodeAt(i)
    folded += folds[unit] ?? foldUnit(unit)
  }
  return cut(VIRAMA.test(folded) ? folded.replace(NASALS, 'ं') : folded)
}

export function cut(term: string): string {
  if (term.length <= TERM_UNITS) return term
  const last = term.charCodeAt(TERM_UNITS - 1)
  return term.slice(0, last >= 0xd800 && last < 0xdc00 ? TERM_UNITS - 1 : TERM_UNITS)
}

const VIRAMA = /\u094d/
/** A nasal before a consonant of its own row may also be written as anusvara: हिन्दी and हिंदी. */
const NASALS = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g

/** What each unit folds to, filled on first use; halves of surrogate pairs stay as they are. */
const folds: (string | undefined)[] = []

function foldUnit(unit: number): string {
  const char = String.fromCharCode(unit)
  const folded = unit < 0x80 || (unit & 0xf800) === 0xd800 ? char : computeFold(char, unit)
  // Units beyond the alphabets are not cached: they would leave holes in the array.
  if (unit < 0x2000) folds[unit] = folded
  return folded
}

function computeFold(char: string, code: number): string {
  const special = SPECIAL.get(char)
  if (special !== undefined) return special
  // Cyrillic is left as it is: decomposing would turn й into и and ї into і.
  if (code >= 0x400 && code < 0x530) return char
  if (code >= 0x1200 && code < 0x1380) return foldEthiopic(code)
  if (DROPPED_MARK.test(char)) return ''
  if (code < 0x600 || (code >= 0x1e00 && code < 0x2000)) {
    const bare = char.normalize('NFD').replace(/\p{M}/gu, '')
    return bare.length > 1 || !SPECIAL.has(bare) ? bare : SPECIAL.get(bare)!
  }
  // Precomposed Indic letters with a nukta: क़ is क.
  return code >= 0x900 && code < 0xe00 ? char.normalize('NFD').replace(NUKTA, '') : char
}

/** Stress and accents, Hebrew points, Arabic vowel signs, Quranic marks, keycaps. */
const DROPPED_MARK =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/u
const NUKTA = /[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0ccc]/g

const FINAL_SIGMA = 'ς σ'
const FINAL_HEBREW = 'ך כ ם מ ן נ ף פ ץ צ'

const SPECIAL = new Map<string, string>(
  pairsOf(
    // Latin letters without a decomposition, and the small capitals of fancy fonts.
    'ß ss æ ae œ oe ø o đ d ð d ł l ħ h ı i ŋ n þ th ŧ t ə e ɛ e ɔ o ʙ b ɢ g ʜ h ɪ i ʟ l ɴ n ʀ r ʏ y ᴀ a ᴄ c ᴅ d ᴇ e ᴊ j ᴋ k ᴍ m ᴏ o ᴘ p ᴛ t ᴜ u ᴠ v ᴡ w ᴢ z ꜰ f ꜱ s ǫ o ſ s',
    FINAL_SIGMA,
    'ё е ѐ е ѝ и ґ г',
    // One alphabet for Arabic, Persian, Urdu, Kurdish and Pashto keyboards.
    'أ ا إ ا آ ا ٱ ا ٲ ا ٳ ا ى ی ي ی ئ ی ې ی ۍ ی ێ ی ے ی ۓ ی ك ک ګ گ ڪ ک ة ه ۀ ه ە ه ہ ه ۂ ه ۃ ه ھ ه ؤ و ۆ و ۇ و ۈ و ۋ و ء',
    FINAL_HEBREW,
    // Candrabindu and anusvara are used interchangeably.
    'ँ ं ঁ ং',
  ),
)
// A lone hamza is written or left out at will.
SPECIAL.set('ء', '')

function pairsOf(...lists: string[]): [string, string][] {
  return lists.flatMap((list) => {
    const words = list.split(' ')
    const pairs: [string, string][] = []
    for (let i = 0; i + 1 < words.length; i += 2) pairs.push([words[i]!, words[i + 1]!])
    return pairs
  })
}

const FINALS = new Map(pairsOf(FINAL_SIGMA, FINAL_HEBREW).map(([final, letter]) => [letter, final]))
const WORD_END = /(?<=\p{L})[σכמנפצ](?!\p{L})/gu

/**
 * A folded word for display, with the final forms that its script has for letters at the end of words. Hebrew writes a
 * foreign name that ends in p with a plain פ, so one that was typed stays.
 */
export function withFinalLetters(folded: string, typed: string): string {
  const isPlain = typed.endsWith('פ')
  return folded.replace(WORD_END, (letter) =>
    letter === 'פ' && isPlain ? letter : FINALS.get(letter)!,
  )
}

/** Amharic letters that sound alike are used interchangeably; each row has eight vowels. */
const HOMOPHONE_ROWS = new Map([
  [0x1210, 0x1200],
  [0x1280, 0x1200],
  [0x1220, 0x1230],
  [0x12d0, 0x12a0],
  [0x1340, 0x1338],
])

function foldEthiopic(code: number): string {
  const row = HOMOPHONE_ROWS.get(code & ~7)
  let folded = row === undefined ? code : row + (code & 7)
  // ሃ is read as ሀ and ኣ as አ.
  if (folded === 0x1203) folded = 0x1200
  if (folded === 0x12a3) folded = 0x12a0
  return String.fromCharCode(folded)
}

/** Digits above U+FFFF stay as they are in words: the index holds them in that form. */
const DIGITS = /(?![0-9\u{10000}-\u{10ffff}])\p{Nd}/gu

/**
 * The value of a decimal digit of any script. Each script has its ten digits in a row; where rows touch, NFKC has already made
 * the digits ASCII.
 */
export function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}

/** Latin letters hidden among Cyrillic ones (or the other way round), which spam uses to escape search. */
const isMixed = (word: string) => /[a-z]/.test(word) && /[\u0400-\u052f]/.test(word)
export const LATIN_LOOKALIKES = 'aceopxyikmtbh'
export const CYRILLIC_LOOKALIKES = 'асеорхуікмтвн'

function unmixed(word: string): string {
  const latin = word.match(/[a-z]/g)!.length
  const cyrillic = word.match(/[\u0400-\u052f]/g)!.length
  const [from, to] =
    cyrillic >= latin
      ? [LATIN_LOOKALIKES, CYRILLIC_LOOKALIKES]
      : [CYRILLIC_LOOKALIKES, LATIN_LOOKALIKES]
  const fixed = word.replace(/\p{L}/gu, (char) => to[from.indexOf(char)] ?? char)
  return isMixed(fixed) ? word : fixed
}
