import { CJK, classOf, DIGIT, LETTER, SOUTHEAST, SURROGATE } from './characters.ts'
import type { FirstLetters } from './first-letters.ts'
import { scan } from './scan.ts'
import type { Sink } from './sink.ts'

/**
 * Scans parts of a text. No word, tag or address goes beyond a space or the end of a line, so a stretch between two of these
 * is scanned as it would be in the whole text.
 */

/** Scans the stretches in which a wanted word may begin, and calls `skip` for every other one that holds words. */
export function scanWanted(
  text: string,
  sink: Sink,
  { wants, skip }: { readonly wants: FirstLetters; readonly skip: () => void },
): void {
  let start = 0
  while (start < text.length) {
    let isWanted = false
    let holdsWord = false
    let isInside = false
    let i = start
    for (; i < text.length && !isSpaceAt(text, i); i++) {
      const unit = text.charCodeAt(i)
      const found = classOf(unit)
      if (found === LETTER || found === DIGIT) {
        if (!isInside) isWanted ||= wants(unit, text.charCodeAt(i + 1))
        holdsWord = isInside = true
      } else {
        isWanted ||= found === CJK || found === SOUTHEAST || found === SURROGATE
        isInside = false
      }
    }
    if (isWanted) scan(text, sink, start, i)
    else if (holdsWord) skip()
    start = i + 1
  }
}

/** Scans the stretches that match `signs`, which must be a global expression. */
export function scanSigned(text: string, sink: Sink, signs: RegExp): void {
  signs.lastIndex = 0
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    let start = found.index
    while (start > 0 && !isSpaceAt(text, start - 1)) start--
    let end = signs.lastIndex
    while (end < text.length && !isSpaceAt(text, end)) end++
    scan(text, sink, start, end)
    signs.lastIndex = end
  }
}

function isSpaceAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit === 0x20 || unit === 0x0a
}
