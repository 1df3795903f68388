/**
 * Posts as bits, for a term that many of a segment's posts hold: at most twice as large as gaps, and a post is tested
 * without decoding others. A row has the bits of as many ordinals, whether they are set or not.
 */
import type { Bytes } from './bytes.ts'
import type { Stored } from './list.ts'

/** A term held by so many posts is kept as bits. */
export function isDense(count: number, posts: number): boolean {
  return count * 16 >= posts
}

export function rowsFor(posts: number, rowOrds: number): number {
  return Math.ceil(posts / rowOrds)
}

/** Writes the row of bits from ordinal `start` on; `posts` is how many ordinals the segment has. */
export function encodeBits(
  ords: ArrayLike<number>,
  from: number,
  to: number,
  row: { readonly start: number; readonly posts: number; readonly rowOrds: number },
  into: Bytes,
): void {
  const bits = new Uint32Array(Math.ceil(Math.min(row.rowOrds, row.posts - row.start) / 32))
  for (let at = from; at < to; at++) {
    const bit = ords[at]! - row.start
    bits[bit >>> 5]! |= 1 << (bit & 31)
  }
  into.copy(new Uint8Array(bits.buffer))
}

/** The same memory where that is aligned, which SQLite's answers are. */
export function readBits({ bytes, at }: Stored): Uint32Array {
  const aligned = (bytes.byteOffset + at) % 4 === 0 ? bytes : bytes.slice(at)
  const offset = aligned === bytes ? bytes.byteOffset + at : 0
  return new Uint32Array(aligned.buffer as ArrayBuffer, offset, (bytes.length - at) >> 2)
}

/** The first bit that is set from `from` on; -1 when there is none. */
export function firstBit(bits: Uint32Array, from: number): number {
  let word = from >>> 5
  if (word >= bits.length) return -1
  let left = bits[word]! & (-1 << (from & 31))
  while (left === 0) {
    if (++word === bits.length) return -1
    left = bits[word]!
  }
  return (word << 5) + 31 - Math.clz32(left & -left)
}

export function countBits(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
