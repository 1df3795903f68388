import {
  CJK,
  classOf,
  classAt,
  DIGIT,
  EMOJI,
  IGNORABLE,
  isInsideWord,
  LETTER,
  MARK,
  NON_JOINER,
  SOUTHEAST,
  SURROGATE,
} from './characters.ts'
import { cut, foldWord, lowerWord, TERM_UNITS } from './fold.ts'
import { simplified } from './han.ts'
import type { Sink } from './sink.ts'

/** `#tags`, `$TICKERS`, `@names` and emoji: each gives an entity term, and all but emoji also give their words. */

/** The form in which hashtags are compared, without `#`. */
export function foldTag(tag: string): string {
  const text = tag.length > 4 * TERM_UNITS ? tag.slice(0, 4 * TERM_UNITS) : tag
  return simplified(foldWord(lowerWord(text))).replace(/[^\p{L}\p{M}\p{N}_]/gu, '')
}

/** Returns where scanning for words continues: right after the sign. */
export function scanHashtag(text: string, start: number, sink: Sink): number {
  const next = start + 1
  if (isInsideWord(text, start)) return next
  let i = next
  let end = next
  let isNumber = true
  while (i < text.length) {
    const unit = text.charCodeAt(i)
    const found = classAt(text, i)
    const width = classOf(unit) === SURROGATE ? 2 : 1
    if (found === LETTER || found === CJK || found === SOUTHEAST) isNumber = false
    else if (found !== DIGIT && found !== MARK && unit !== 0x5f) {
      if (found !== IGNORABLE && found !== NON_JOINER) break
      i += width
      continue
    }
    end = i += width
  }
  if (isNumber) return next
  const term = cut('#' + foldTag(text.slice(next, end)))
  if (term.length > 1) sink.entity(term, start, end)
  return next
}

export const CASHTAG = /\$([A-Za-z]{2,10})(?![\p{L}\p{N}_])/uy

export function scanCashtag(text: string, start: number, sink: Sink): number {
  if (isInsideWord(text, start)) return start + 1
  CASHTAG.lastIndex = start
  const found = CASHTAG.exec(text)
  if (found) sink.entity(found[0].toLowerCase(), start, start + found[0].length)
  return start + 1
}

const NAME = /@([A-Za-z][A-Za-z0-9_]{3,31})(?![A-Za-z0-9_])/y

export function scanMention(text: string, start: number, sink: Sink): number {
  if (isInsideWord(text, start)) return start + 1
  NAME.lastIndex = start
  const found = NAME.exec(text)
  if (found) sink.entity(found[0].toLowerCase(), start, start + found[0].length)
  return start + 1
}

const ZWJ = 0x200d
const PARTS = 6

/**
 * One emoji with its modifiers and the emoji joined to it. The term is spelt in hexadecimal, because engines disagree on
 * which of the newer emoji may stand in a term; skin tones and variation selectors are left out.
 */
export function scanEmoji(text: string, start: number, sink: Sink): number {
  const parts: number[] = []
  let i = start
  let isJoined = true
  while (i < text.length) {
    const code = text.codePointAt(i)!
    const width = code > 0xffff ? 2 : 1
    if (isSkinTone(code) && i > start) i += width
    else if (code === ZWJ) {
      isJoined = true
      i += width
    } else if (classAt(text, i) === EMOJI) {
      if (!isJoined && !completesFlag(parts, code)) break
      if (parts.length < PARTS) parts.push(code)
      isJoined = false
      i += width
    } else if (classAt(text, i) === IGNORABLE) i += width
    else break
  }
  sink.entity('emoji:' + parts.map((code) => code.toString(16)).join('-'), start, i)
  return i
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff
}

/** A flag is two regional indicators. */
function completesFlag(parts: readonly number[], code: number): boolean {
  return parts.length === 1 && isIndicator(parts[0]!) && isIndicator(code)
}

function isIndicator(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff
}
