import {
  APOSTROPHE,
  AT,
  CJK,
  classOf,
  classAt,
  DIGIT,
  DOLLAR,
  EMOJI,
  HASH,
  IGNORABLE,
  LETTER,
  MARK,
  NON_JOINER,
  SEPARATOR,
  SOUTHEAST,
  SURROGATE,
} from './characters.ts'
import { scanAddress } from './scan-address.ts'
import { scanCashtag, scanEmoji, scanHashtag, scanMention } from './scan-entity.ts'
import type { Sink } from './sink.ts'

const DOT = 0x2e
const COLON = 0x3a
const HYPHEN = 0x2d

/**
 * Scans a text in one pass, in which every unit is looked at a bounded number of times. A part of a text may be scanned by
 * itself only if it has spaces around it.
 */
export function scan(text: string, sink: Sink, start = 0, end = text.length): void {
  let i = start
  while (i < end) {
    const found = classOf(text.charCodeAt(i))
    switch (found === SURROGATE ? classAt(text, i) : found) {
      case LETTER:
      case DIGIT:
        i = scanWord(text, i, sink)
        break
      case CJK: {
        const end = runEnd(text, i, CJK)
        sink.ideographs(i, end)
        i = end
        break
      }
      case SOUTHEAST: {
        const end = runEnd(text, i, SOUTHEAST)
        sink.southeast(i, end)
        i = end
        break
      }
      case EMOJI:
        i = scanEmoji(text, i, sink)
        break
      case HASH:
        i = scanHashtag(text, i, sink)
        break
      case DOLLAR:
        i = scanCashtag(text, i, sink)
        break
      case AT:
        i = scanMention(text, i, sink)
        break
      default:
        i++
    }
  }
}

function scanWord(text: string, start: number, sink: Sink): number {
  const length = text.length
  let i = start
  let end = start
  let isCompound = false
  let isNumber = true
  while (i < length) {
    const unit = text.charCodeAt(i)
    let found = classOf(unit)
    // Nearly every unit is a letter, so this case comes first.
    if (found === LETTER) {
      isNumber = false
      end = ++i
      continue
    }
    let width = 1
    if (found === SURROGATE) {
      found = classAt(text, i)
      width = 2
    }
    if (found === LETTER || found === MARK) {
      isNumber = false
      end = i += width
    } else if (found === DIGIT) {
      end = i += width
    } else if (found === IGNORABLE) {
      i += 1
    } else if (found === APOSTROPHE || found === NON_JOINER || isGershayim(text, i, unit)) {
      if (i !== end || !isLetterAt(text, i - 1) || !isLetterAt(text, i + 1)) break
      isCompound ||= found !== SEPARATOR
      i += 1
    } else if (isNumber && groupsThousands(text, start, i, unit)) {
      end = i += 4
    } else break
  }
  const next = text.charCodeAt(end)
  if (next === DOT || next === COLON || next === HYPHEN) {
    const addressEnd = scanAddress(text, start, sink)
    if (addressEnd > 0) return addressEnd
  }
  sink.word(start, end, isCompound)
  return Math.max(end, start + 1)
}

/** U+0022, U+05F4 or U+201D between Hebrew letters marks an abbreviation: צה"ל. */
function isGershayim(text: string, index: number, unit: number): boolean {
  if (unit !== 0x22 && unit !== 0x5f4 && unit !== 0x201d) return false
  return isHebrew(text.charCodeAt(index - 1)) && isHebrew(text.charCodeAt(index + 1))
}

function isHebrew(unit: number): boolean {
  return unit >= 0x5d0 && unit <= 0x5ea
}

function isLetterAt(text: string, index: number): boolean {
  const found = classOf(text.charCodeAt(index))
  return found === LETTER || found === MARK
}

/** 1,000,000 and 1 000 000 with no-break spaces are one number; the decimal point is left alone. */
function groupsThousands(text: string, start: number, index: number, unit: number): boolean {
  if (unit !== 0x2c && unit !== 0xa0 && unit !== 0x202f) return false
  const first = index - start
  // After the first group every group has its separator and three digits.
  if (first > 3 && classOf(text.charCodeAt(index - 4)) === DIGIT) return false
  for (let i = index + 1; i <= index + 3; i++) {
    if (classOf(text.charCodeAt(i)) !== DIGIT) return false
  }
  return classOf(text.charCodeAt(index + 4)) !== DIGIT
}

function runEnd(text: string, start: number, wanted: number): number {
  let i = start
  let end = start
  while (i < text.length) {
    const found = classAt(text, i)
    const width = classOf(text.charCodeAt(i)) === SURROGATE ? 2 : 1
    if (found === wanted || (found === MARK && i > start)) end = i += width
    else if (found === IGNORABLE || found === NON_JOINER) i += width
    else break
  }
  return end
}
