/**
 * Whether a query is running text, such as a pasted headline, post or sentence, or was put together from words and
 * operators. In running text the signs of the query language are punctuation. What an author of a query alone would
 * write, such as `from:durov` or a group of alternatives, decides first.
 */
import { HAS_UNSPACED } from '../characters.ts'
import { countFunctionWords } from '../function-words.ts'
import { findOperator, type Asked } from './query-operators.ts'

/** `text` is the query without what cannot be seen. */
export function isRunningText(text: string, asked: Asked): boolean {
  if (!SIGN.test(text)) return false
  const found = signsOf(text)
  return found.isText && !hasOperator(text, asked, found)
}

/** Mere words are read in one way only. */
const SIGN =
  /["“”„‟«»@#$|*()=:]|(?<!\S)-\S|\b(?:OR|AND|NOT)\b|www\.|t\.me\/|\p{Extended_Pictographic}|\p{RI}/u

interface Signs {
  /** Words that stand outside quotes and are no tag, name or address. */
  readonly words: number
  readonly isText: boolean
  /** Too much of a sentence to be anything else: what looks like an operator in it is emphasis or a dash. */
  readonly isLong: boolean
}

const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]/gu
const ADDRESS = /(?:https?:\/\/|www\.)\S+|(?:t|telegram)\.me\/\S+/giu
const WORD = /(?<![\p{L}\p{M}\p{N}@#$&])\p{L}[\p{L}\p{M}'’-]*/gu
const EACH_UNSPACED = new RegExp(HAS_UNSPACED, 'gu')
const EMOJI = /\p{Extended_Pictographic}(?<![©®™])|\p{RI}/u
/** A stop or comma between a word and the next, or at the end; also that of Arabic, Chinese, Hindi, Armenian, Amharic. */
const PUNCTUATION = /[\p{L}\p{N}"”»)]\s*[.,;:!?…፡፦](?=\s|$)|[،؛؟。，！？；：、।։።፣፤]|\s[–—]\s/u
/**
 * So many words in quotes are somebody's speech, and so many where nothing else is said; fewer behind a colon, before a comma
 * or a dash, or in a sentence that ends.
 */
const SPEECH = 6
const SPEECH_ALONE = 8
const SAYS = /\p{L}\s?[:፡፦]\s+["“«„]|["”»](?:,|\s?[-–—])\s|[!?…]\s*$|(?<=\p{L})\.\s*$/u
/** A few words in quotes behind a colon, or before a comma or a dash, are told by whoever is named beside them. */
const SPOKEN = /\p{L}\s?[:፡፦]\s+["“«„]|["”»](?:,|\s?[-–—])\s/u
const SPOKEN_WORDS = 3
const SENTENCE = 4
const LONG = 8

function signsOf(text: string): Signs {
  const bare = text.replaceAll(ADDRESS, ' ')
  const quotes = bare.match(QUOTED) ?? []
  const outside = bare.replaceAll(QUOTED, ' ')
  const own = wordsOf(outside)
  const said = quotes.map(wordsOf)
  const least = own.length > 1 ? SPEECH : SPEECH_ALONE
  const isSpeech = said.some((words) => words.length >= least)
  const words = isSpeech || SAYS.test(bare) ? [...own, ...said.flat()] : own
  const unspaced = (outside.match(EACH_UNSPACED)?.length ?? 0) / 2
  const count = words.length + unspaced
  const isSpoken = SPOKEN.test(bare) && said.some(({ length }) => length >= SPOKEN_WORDS)
  const isPunctuated = isSpoken || PUNCTUATION.test(outside)
  const holding = countFunctionWords(words)
  const isDecorated = bare.length !== text.length || EMOJI.test(bare)
  const isSentence =
    (count >= SENTENCE && (isPunctuated || holding > 0)) ||
    (count >= SENTENCE - 1 && (isPunctuated || isDecorated))
  return {
    words: count,
    isText: isSentence || count >= LONG,
    isLong: count >= LONG && (isPunctuated || holding > 1),
  }
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).filter((word) => !KEYWORD.test(word) && !HAS_UNSPACED.test(word))
}

const KEYWORD = /^(?:OR|AND|NOT)$/
const KEYWORDS = /(?<![^\s(|])(?:OR|AND|NOT)(?![^\s()|])/g
const GROUP = /\([^()]*(?:\||\bOR\b)[^()]*\)|(?<![^\s(|])-\(/u
const NAMED = /(?<![^\s(|-])([A-Za-z][A-Za-z_-]{1,15}):(?!\/\/)["“«]?([^\s()|"“”«»]+)/gu
const EXACT = /(?<![^\s(|-])=[\p{L}\p{N}]/u
const BEGINNING = /(?<![^\s(|-])[\p{L}\p{N}]{3,}\*+(?![^\s()|])/u
const EXCLUDED = /(?<![^\s(|])-(?=[\p{L}"“«#@$])([\p{L}\p{M}]*)/gu
const EXCLUSION = String.raw`-(?:"[^"]*(?:"\S*|$)|[^\s"]\S*)`
/**
 * What follows the last word that is wanted: nothing but exclusions. There is one way only to read a text by it: with two, a
 * text of many such pieces would take for ever.
 */
const ONLY_EXCLUDED = new RegExp(String.raw`^${EXCLUSION}(?:\s+${EXCLUSION})*\s*$`, 'u')
const SENTENCE_END = /[.!?…"”»]\s*$/u

function hasOperator(text: string, asked: Asked, { words, isLong }: Signs): boolean {
  if (GROUP.test(text)) return true
  for (const [, name = '', value = ''] of text.matchAll(NAMED)) {
    const first = value.replace(/[.,;:!?…]+$/u, '').split(',')[0]!
    const result = findOperator(name)?.read(first, asked)
    // A value that the operator does not take is a slip, but not in the midst of a sentence.
    if (result && ('ok' in result || (!isLong && name === name.toLowerCase()))) return true
  }
  const keywords = text.match(KEYWORDS)?.length ?? 0
  // Who writes alternatives has a keyword every few words.
  if (keywords > 0 && (!isLong || keywords * 4 > words)) return true
  if (!isLong && (EXACT.test(text) || BEGINNING.test(text))) return true
  return excludes(text, isLong) || separates(text)
}

/** `-word` before or behind all that is wanted; in the midst of a sentence it is a dash, behind its end a signature. */
function excludes(text: string, isLong: boolean): boolean {
  for (const { index, 1: word = '' } of text.matchAll(EXCLUDED)) {
    const before = text.slice(0, index)
    // Nobody wants a word and excludes it: धीरे -धीरे is one word said twice.
    if (word !== '' && wordsOf(before.slice(-64)).at(-1) === word) continue
    if (!isLong) return true
    if (ONLY_EXCLUDED.test(text.slice(index)) && !SENTENCE_END.test(before)) return true
  }
  return false
}

/** A bar between short alternatives; one behind a whole title only parts it from the name of its paper. */
function separates(text: string): boolean {
  if (!text.includes('|')) return false
  if (/[^\s|]\|+[^\s|]/u.test(text)) return true
  return text.split(/\|+/u).every((part) => wordsOf(part).length <= SENTENCE)
}
