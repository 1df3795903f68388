import type { Entity } from '../model/post.ts'
import { classOf, MARK } from './characters.ts'
import type { Match, Matcher } from './matcher.ts'
import { maskSpoilers } from './spoilers.ts'

export { createMatcher } from './matcher.ts'
export type { Match, Matcher } from './matcher.ts'

/** Snippets and their highlights, in the author's own spelling. */

interface Highlight {
  /** UTF-16, into the snippet. */
  readonly start: number
  readonly end: number
}

export interface Snippet {
  readonly text: string
  readonly highlights: Highlight[]
}

const ELLIPSIS = '…'
/** How far a cut may move to fall between words. */
const SLACK = 24
const LINE_FEED = 0x0a

/**
 * At most `maxChars` units of the text: the window with most of the query's leaves, or the beginning if there are none.
 * Cut between words, with an ellipsis where something is left out. Spoilers among the entities are masked.
 */
export function snippet(
  whole: string,
  language: string | null,
  matcher: Matcher,
  maxChars = 240,
  entities: readonly Entity[] = [],
): Snippet {
  const matches = matcher.find(whole, language)
  const text = maskSpoilers(whole, entities, matches)
  if (text.length <= maxChars) return { text, highlights: merged(matches, 0, text.length) }
  const room = Math.max(1, maxChars - 2 * ELLIPSIS.length)
  const { from, to } = bestStretch(matches, room)
  const lead = Math.max(0, Math.min(room - (to - from), 3 * SLACK) >> 1)
  let start = from - lead <= SLACK ? 0 : cutForward(text, from - lead, from)
  if (to > start + room) start = cutForward(text, to - room, from)
  let end = Math.min(text.length, start + room)
  if (end === text.length) start = cutForward(text, Math.max(0, end - room), from)
  else {
    const limit = Math.max(to, start + 1)
    end = lineEnd(text, end, Math.max(limit, end - (room >> 3))) ?? cutBackward(text, end, limit)
  }
  const body = text.slice(start, end)
  const before = start > 0 ? ELLIPSIS : ''
  const isLine = text.charCodeAt(end) === LINE_FEED && end < start + room
  const after = isLine ? ` ${ELLIPSIS}` : ELLIPSIS
  const shift = before.length - start
  return {
    text: before + body + (end < text.length ? after : ''),
    highlights: merged(matches, start, end).map((h) => ({
      start: h.start + shift,
      end: h.end + shift,
    })),
  }
}

/** The stretch of at most `room` units with the most different leaves, then the most matches, then the earliest. */
function bestStretch(matches: readonly Match[], room: number): { from: number; to: number } {
  const counts = new Map<number, number>()
  let best = { from: 0, to: 0, score: 0 }
  let first = 0
  for (let last = 0; last < matches.length; last++) {
    const { leaf, end } = matches[last]!
    counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
    while (first < last && end - matches[first]!.start > room) {
      const gone = matches[first++]!.leaf
      const left = counts.get(gone)! - 1
      if (left === 0) counts.delete(gone)
      else counts.set(gone, left)
    }
    const score = counts.size + Math.min(0.9, (last - first) / 20)
    if (score > best.score + 1e-9) best = { from: matches[first]!.start, to: end, score }
  }
  return { from: best.from, to: Math.min(best.to, best.from + room) }
}

/** Omits matches that the cut goes through, unless there are no others: an address may be longer than the window. */
function merged(matches: readonly Match[], start: number, end: number): Highlight[] {
  const isWhole = (match: Match) => match.start >= start && match.end <= end
  const shown = matches.some(isWhole) ? matches.filter(isWhole) : matches
  const highlights: { start: number; end: number }[] = []
  for (const match of shown) {
    const [from, to] = [Math.max(start, match.start), Math.min(end, match.end)]
    if (from >= to) continue
    const last = highlights.at(-1)
    if (last && from <= last.end) last.end = Math.max(last.end, to)
    else highlights.push({ start: from, end: to })
  }
  return highlights
}

/** The start of the next word, but not beyond `limit` nor further away than `SLACK`. */
function cutForward(text: string, at: number, limit: number): number {
  if (at <= 0) return 0
  const last = Math.min(limit, at + SLACK)
  for (let i = at; i <= last; i++) {
    if (isSpace(text, i - 1) && !isSpace(text, i)) return i
  }
  let i = at
  while (i < limit && isInsideCharacter(text, i)) i++
  return i
}

/** The end of a line of which only the first words would follow; nearer than `limit` and `SLACK`. */
function lineEnd(text: string, at: number, limit: number): number | undefined {
  const first = Math.max(limit, at - SLACK)
  for (let i = at - 1; i >= first; i--) {
    if (text.charCodeAt(i) === LINE_FEED && !isSpace(text, i - 1)) return i
  }
  return undefined
}

/** The end of the previous word, but not before `limit` nor further away than `SLACK`. */
function cutBackward(text: string, at: number, limit: number): number {
  const first = Math.max(limit, at - SLACK)
  for (let i = at; i >= first; i--) {
    if (isSpace(text, i) && !isSpace(text, i - 1)) return i
  }
  let i = at
  while (i > limit && isInsideCharacter(text, i)) i--
  return i
}

function isSpace(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit === 0x20 || unit === LINE_FEED || unit === 0xa0 || (unit >= 0x2000 && unit <= 0x200a)
}

/** A cut here would fall into a surrogate pair, a combining sequence or a joined emoji. */
function isInsideCharacter(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if ((unit >= 0xdc00 && unit < 0xe000) || unit === 0x200d || unit === 0xfe0f) return true
  return classOf(unit) === MARK || text.charCodeAt(index - 1) === 0x200d
}
