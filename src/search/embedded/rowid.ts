/**
 * A rowid is the time reversed and a slot: 31 bits of seconds counting down, 22 bits of the post's row in its bucket's
 * columns. So ascending rowids go from the newest post to the oldest, and each leads to the post's columns without a
 * search. Below 2^53, so it is exact in JavaScript.
 */

const SLOTS = 2 ** 22
/** Exact, being a power of two, and quicker than to divide. */
const PER_SLOT = 1 / SLOTS
/** 2010, before the first channel; the other end is in 2078. */
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

/** Rowids of [sinceS, untilS), from inclusive to exclusive. */
export function rowidRange(sinceS: number, untilS: number): { from: number; to: number } {
  return { from: rowidOf(untilS - 1, 0), to: rowidOf(sinceS - 1, 0) }
}

/** The first index whose value is not below. */
export function lowerBound(rowids: ArrayLike<number>, rowid: number): number {
  let [low, high] = [0, rowids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rowids[middle]! < rowid) low = middle + 1
    else high = middle
  }
  return low
}

export function isIndexable(sec: number): boolean {
  return sec > FIRST_S && sec < LAST_S
}

function clamp(sec: number): number {
  return Math.min(LAST_S, Math.max(FIRST_S, sec))
}
