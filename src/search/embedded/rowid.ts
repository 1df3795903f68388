/**
 * A rowid is the reversed time and a slot: 31 bits of seconds counting down, 22 bits of the post's slot in its bucket's
 * columns. So ascending rowids go from the newest post to the oldest, and each leads to the post's columns without a
 * lookup. It is below 2^53, and therefore exact in JavaScript.
 */

const SLOTS = 2 ** 22
/** Exact, as it is a power of two; multiplying is faster than dividing. */
const PER_SLOT = 1 / SLOTS
/** The start of 2010, before the first channel; the range ends in 2078. */
const FIRST_S = 1_262_304_000
const LAST_S = FIRST_S + 2 ** 31 - 1

/** A bucket is full after about four million posts: some 18 million in a window. */
export const MAX_SLOTS = SLOTS

export function rowidOf(sec: number, slot: number): number {
  return (LAST_S - clamp(sec)) * SLOTS + slot
}

export function secOf(rowid: number): number {
  return LAST_S - Math.floor(rowid * PER_SLOT)
}

export function slotOf(rowid: number): number {
  return rowid - Math.floor(rowid * PER_SLOT) * SLOTS
}

/** The rowids of posts in [sinceS, untilS): `from` is inclusive, `to` exclusive. */
export function rowidRange(sinceS: number, untilS: number): { from: number; to: number } {
  return { from: rowidOf(untilS - 1, 0), to: rowidOf(sinceS - 1, 0) }
}

export function isIndexable(sec: number): boolean {
  return sec > FIRST_S && sec < LAST_S
}

function clamp(sec: number): number {
  return Math.min(LAST_S, Math.max(FIRST_S, sec))
}
