/**
 * Decides whether a query is running text, such as a pasted headline, post or sentence, or was composed of words and
 * operators. In running text the signs of the query language are punctuation. Whatever only the author of a query would
 * write, such as `from:durov` or a group of alternatives, rules running text out.
 */
import { HAS_UNSPACED } from '../characters.ts'
import { countFunctionWords } from '../function-words.ts'
import { findOperator, type ParseContext } from './query-operators.ts'

/** `text` is the query without invisible characters. */
export function isRunningText(text: string, asked: ParseContext): boolean {
  if (!SIGN.test(text)) return false
  const found = signsOf(text)
  return found.isText && !hasOperator(text, asked, found)
}

/** Without any of these signs the query is mere words, and both readings give the same result. */
const SIGN =
  /["“”„‟«»@#$|*()=:]|(?<!\S)-\S|\b(?:OR|AND|NOT)\b|www\.|t\.me\/|\p{Extended_Pictographic}|\p{RI}/u

interface Signs {
  /**
   * Number of words, without tags, names and addresses. Those in quotes count only where they are speech. Two characters of
   * a script without spaces count as a word.
   */
  readonly words: number
  readonly isText: boolean
  /** So clearly a sentence that anything in it that looks like an operator is emphasis or a dash. */
  readonly isLong: boolean
}

const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]/gu
const ADDRESS = /(?:https?:\/\/|www\.)\S+|(?:t|telegram)\.me\/\S+/giu
const WORD = /(?<![\p{L}\p{M}\p{N}@#$&])\p{L}[\p{L}\p{M}'’-]*/gu
const EACH_UNSPACED = new RegExp(HAS_UNSPACED, 'gu')
const EMOJI = /\p{Extended_Pictographic}(?<![©®™])|\p{RI}/u
/** Punctuation after a word, also that of Arabic, Chinese, Hindi, Armenian and Amharic, or a dash between spaces. */
const PUNCTUATION = /[\p{L}\p{N}"”»)]\s*[.,;:!?…፡፦](?=\s|$)|[،؛؟。，！？；：、।։።፣፤]|\s[–—]\s/u
/**
 * This many words in quotes are somebody's speech; the second number applies where at most one word stands outside the
 * quotes. Any number is speech after a colon, before a comma or a dash, or in a text that ends like a sentence (`SAYS`).
 */
const SPEECH = 6
const SPEECH_ALONE = 8
const SAYS = /\p{L}\s?[:፡፦]\s+["“«„]|["”»](?:,|\s?[-–—])\s|[!?…]\s*$|(?<=\p{L})\.\s*$/u
/** After a colon, or before a comma or a dash, a quote of three words or more was said by whoever is named beside it. */
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
 * Nothing but exclusions to the end of the text. The pattern is unambiguous: if a piece could match in two ways, a text of
 * many such pieces would backtrack for ever.
 */
const ONLY_EXCLUDED = new RegExp(String.raw`^${EXCLUSION}(?:\s+${EXCLUSION})*\s*$`, 'u')
const SENTENCE_END = /[.!?…"”»]\s*$/u

function hasOperator(text: string, asked: ParseContext, { words, isLong }: Signs): boolean {
  if (GROUP.test(text)) return true
  for (const [, name = '', value = ''] of text.matchAll(NAMED)) {
    const first = value.replace(/[.,;:!?…]+$/u, '').split(',')[0]!
    const result = findOperator(name)?.read(first, asked)
    // An operator with an invalid value is a slip of its author, except in the middle of a sentence.
    if (result && ('ok' in result || (!isLong && name === name.toLowerCase()))) return true
  }
  const keywords = text.match(KEYWORDS)?.length ?? 0
  // Somebody who writes operators uses a keyword every few words.
  if (keywords > 0 && (!isLong || keywords * 4 > words)) return true
  if (!isLong && (EXACT.test(text) || BEGINNING.test(text))) return true
  return excludes(text, isLong) || separates(text)
}

/**
 * Whether a `-word` is an exclusion. In a long sentence it is one only at the end of the text: in the middle it is a dash,
 * and after the end of the sentence a signature.
 */
function excludes(text: string, isLong: boolean): boolean {
  for (const { index, 1: word = '' } of text.matchAll(EXCLUDED)) {
    const before = text.slice(0, index)
    // Nobody asks for a word and excludes it at once: धीरे -धीरे is one word said twice.
    if (word !== '' && wordsOf(before.slice(-64)).at(-1) === word) continue
    if (!isLong) return true
    if (ONLY_EXCLUDED.test(text.slice(index)) && !SENTENCE_END.test(before)) return true
  }
  return false
}

/** Whether a bar separates short alternatives. After a whole title it only sets off the name of the newspaper. */
function separates(text: string): boolean {
  if (!text.includes('|')) return false
  if (/[^\s|]\|+[^\s|]/u.test(text)) return true
  return text.split(/\|+/u).every((part) => wordsOf(part).length <= SENTENCE)
}
