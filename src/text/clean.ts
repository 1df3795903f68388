/* oxlint-disable no-misleading-character-class, no-control-regex -- the classes name code points, not what they look like */
import { lowerBound } from '../model/lower-bound.ts'
import type { Entity } from '../model/post.ts'

/**
 * Text as it is served: no control, zero-width or bidi-override characters, which hide instructions from a human
 * reader and reorder what they see. The store keeps the author's own text.
 */

export interface CleanText {
  readonly text: string
  readonly entities: readonly Entity[]
  /** Whether something was removed. */
  readonly hidden: boolean
}

/** Characters that may have to be removed or replaced; most texts hold few of them or none. */
const SUSPECT =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\uddef]/g

const KEEP = 0
const REMOVE = 1
const AS_SPACE = 2
const AS_NEWLINE = 3

/** Removes hidden characters and moves the entities with their text; an entity with nothing left is dropped. */
export function cleanText(raw: string, entities: readonly Entity[]): CleanText {
  const text = raw.toWellFormed()
  if (text.search(SUSPECT) < 0) return { text, entities, hidden: false }
  const parts: string[] = []
  /** The offsets of removed characters, ascending, and how many units in all were removed up to each, including it. */
  const cuts: number[] = []
  const gone: number[] = []
  let removed = 0
  let kept = 0
  /** The character that is kept right before the next suspect, and the end of the last suspect. */
  let before = ''
  let end = 0
  for (const { 0: char, index } of text.matchAll(SUSPECT)) {
    if (index > end) before = characterBefore(text, index)
    end = index + char.length
    const verdict = judge(text, index, char.codePointAt(0)!, before)
    if (verdict === KEEP) {
      before = char
      continue
    }
    parts.push(text.slice(kept, index))
    kept = end
    if (verdict === REMOVE) {
      removed += char.length
      cuts.push(index)
      gone.push(removed)
    } else {
      before = verdict === AS_SPACE ? ' ' : '\n'
      parts.push(before)
    }
  }
  parts.push(text.slice(kept))
  const move = (offset: number) => offset - goneBefore(cuts, gone, offset)
  const moved: Entity[] = []
  for (const entity of entities) {
    const offset = move(entity.offset)
    const length = move(entity.offset + entity.length) - offset
    if (length > 0) moved.push({ ...entity, offset, length })
  }
  return { text: parts.join(''), entities: moved, hidden: removed > 0 }
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[index - 1]!)
  return text.slice(index - (isPair ? 2 : 1), index)
}

function judge(text: string, index: number, code: number, before: string): number {
  if (code === 0x0a || (code >= 0x20 && code < 0x7f)) return KEEP
  if (code === 0x09) return AS_SPACE
  if (code === 0x0d) return text.charCodeAt(index + 1) === 0x0a ? REMOVE : AS_NEWLINE
  if (code < 0xa0) return REMOVE
  if (code === 0x2028 || code === 0x2029) return AS_NEWLINE
  if (code === 0x200c || code === 0x200d) {
    return JOINABLE_BEFORE.test(before) && JOINABLE.test(text.slice(index + 1, index + 3))
      ? KEEP
      : REMOVE
  }
  // The text and emoji styles have a use; other selectors, and a second in a row, only carry hidden data.
  if (code === 0xfe0e || code === 0xfe0f) {
    return before === '' || /[\s\ufe0e\ufe0f]/.test(before) ? REMOVE : KEEP
  }
  if (code >= 0xe0000 && code < 0xe01f0) return isFlagTag(text, index) ? KEEP : REMOVE
  return INVISIBLE.test(String.fromCodePoint(code)) ? REMOVE : KEEP
}

const INVISIBLE =
  /[\xad\u034f\u061c\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0d\ufeff\ufff9-\ufffb]/
const JOINABLE = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u
const JOINABLE_BEFORE = /[\p{L}\p{M}\p{Extended_Pictographic}\p{EMod}\ufe0f]$/u

/** The flags of England, Scotland and Wales are a black flag, at most six tag characters and a closing tag. */
function isFlagTag(text: string, index: number): boolean {
  const start = Math.max(0, index - 16)
  const near = text.slice(start, start + 34)
  const from = near.lastIndexOf('\u{1f3f4}', index - start)
  if (from < 0) return false
  return /^\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}/u.test(near.slice(from, from + 18))
}

/** How many units were removed before `offset`; an offset inside a removed surrogate pair counts as after it. */
function goneBefore(cuts: readonly number[], gone: readonly number[], offset: number): number {
  return gone[lowerBound(cuts, offset) - 1] ?? 0
}
