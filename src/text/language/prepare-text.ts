/**
 * A post as the language rules and models read it: lower-case words of its main script, without addresses,
 * mentions, digits and emoji. Words of hashtags stay.
 */
import { numberOf, SCRIPT_COUNT, scriptOf, scriptOfNumber, type Script } from './scripts.ts'

export interface PreparedText {
  readonly script: Script | null
  /** Words of the main script. */
  readonly words: readonly string[]
  /** Letters of the main script; an ideograph counts as three, because it says as much. */
  readonly letters: number
  /** Share of the main script among all letters. */
  readonly share: number
  /** Share of kana, and of Hangul, among the CJK letters. */
  readonly kana: number
  readonly hangul: number
}

const MAX_UNITS = 1600
const MAX_LETTERS = 400

const NOISE =
  /(?:https?:\/\/|www\.|t\.me\/)\S+|[\w.+-]+@[\w.-]+|@\w+|\/[a-z]\w+|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|info|io|me|tv|ru|ua|by|kz|uz|ir|tr|de|fr|it|es|br|id|in|cn|jp|kr|il|et|uk|eu)\b\S*/gi
const MAY_BE_NOISE = /[@/]|\.\w/
/** Latin letters that look like Cyrillic ones, next to a Cyrillic letter. */
const LOOKALIKE = /[\u0400-\u04ff][aceijopsxy]|[aceijopsxy][\u0400-\u04ff]/i
const LOOKALIKES = /(?<=[\u0400-\u04ff])[aceijopsxy]|[aceijopsxy](?=[\u0400-\u04ff])/gi
const LOOKED_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aceijopsxy'].map((letter, i) => [letter, [...'асеіјорѕху'][i]!]),
)
const FANCY = /[\ud835\uff21-\uff5a]/

const LATIN = numberOf('Latin')
const CYRILLIC = numberOf('Cyrillic')
const HAN = numberOf('Han')
const KANA = numberOf('Kana')
const HANGUL = numberOf('Hangul')

/** `letters`: reading stops after this many letters of one script. */
export function prepareText(text: string, letters = MAX_LETTERS): PreparedText {
  let input = text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text
  if (MAY_BE_NOISE.test(input)) input = input.replace(NOISE, ' ')
  // Ukrainian and Kazakh are often typed with the Latin i, Serbian with more of these.
  if (LOOKALIKE.test(input)) {
    input = input.replaceAll(LOOKALIKES, (letter) => LOOKED_LIKE[letter.toLowerCase()]!)
  }
  // "Fancy fonts" are mathematical letters to Unicode.
  input = input.normalize(FANCY.test(input) ? 'NFKC' : 'NFC').toLowerCase()

  const counts = new Int32Array(SCRIPT_COUNT + 1)
  const words: string[] = []
  const scripts: number[] = []
  let start = -1
  let script = 0
  const end = (at: number) => {
    if (start >= 0) {
      words.push(input.slice(start, at))
      scripts.push(script)
      start = -1
    }
  }
  for (let i = 0; i < input.length; i++) {
    const code = input.charCodeAt(i)
    const here = scriptOf(code)
    if (here > 0) {
      if (start >= 0 && here !== script) end(i)
      if (start < 0) {
        start = i
        script = here
      }
      if (++counts[here]! >= letters) {
        // Finish the word, so that no part of a word is read.
        do i++
        while (i < input.length && scriptOf(input.charCodeAt(i)) === here)
        end(i)
        break
      }
    } else if (here === 0 || !joinsLetters(code, script) || start < 0) end(i)
    else if (scriptOf(input.charCodeAt(i + 1)) !== script) end(i)
  }
  end(input.length)
  if (/[¿¡]/.test(input)) {
    words.push('¿')
    scripts.push(LATIN)
  }
  return choose(words, scripts, counts)
}

/** Latin is the main script only if its letters outnumber those of any other script by this factor. */
const NAMES = 2

function choose(words: string[], scripts: number[], counts: Int32Array): PreparedText {
  const cjk = counts[HAN]! + counts[KANA]! + counts[HANGUL]!
  let main = 0
  let most = 0
  let total = 0
  for (let s = 1; s <= SCRIPT_COUNT; s++) {
    const weight = counts[s]! * (s === HAN || s === KANA || s === HANGUL ? 3 : 1)
    total += weight
    // Brands and tickers are Latin in every language, while a Latin text seldom quotes another script.
    const claim = s === LATIN ? weight / NAMES : weight
    if (claim > most) [main, most] = [s, claim]
  }
  if (main === LATIN) most = counts[LATIN]!
  if (cjk * 3 >= most && cjk > 0) [main, most] = [HAN, cjk * 3]
  const isMain =
    main === HAN
      ? (s: number) => s === HAN || s === KANA || s === HANGUL
      : (s: number) => s === main
  return {
    script: scriptOfNumber(main),
    words: words.filter((_, i) => isMain(scripts[i]!)).map(plain),
    letters: most,
    share: total === 0 ? 0 : most / total,
    kana: cjk === 0 ? 0 : counts[KANA]! / cjk,
    hangul: cjk === 0 ? 0 : counts[HANGUL]! / cjk,
  }
}

/** Whether a character for which `scriptOf` gives -1 may stand inside a word; apostrophes only in Latin and Cyrillic. */
function joinsLetters(code: number, script: number): boolean {
  const isApostrophe =
    code === 0x27 ||
    code === 0x60 ||
    code === 0xb4 ||
    (code >= 0x2b9 && code <= 0x2bf) ||
    code === 0x2018 ||
    code === 0x2019
  return isApostrophe ? script === LATIN || script === CYRILLIC : true
}

const MARKED = /[\u0300-\u036f\u064b-\u0655\u0670\u0640\u00ad'`´\u02b9-\u02bf\u2018\u2019]/
function plain(word: string): string {
  if (!MARKED.test(word)) return word
  return word
    .replaceAll(/[`´\u02b9-\u02bf\u2018\u2019]/g, "'")
    .replaceAll(/[\u0300-\u036f\u064b-\u0655\u0670\u0640\u00ad]/g, '')
}
