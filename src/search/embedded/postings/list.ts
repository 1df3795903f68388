/**
 * A term's posts in a segment, by ordinal and so newest first, as gaps: in blocks of 128 posts behind a table of their
 * last ordinals, so that a reader in search of one post decodes one block. What many posts hold is kept as bits instead
 * (bits.ts).
 */
import { createBytes, createReader, type Bytes } from './bytes.ts'

export const BLOCK = 128

/** What reading a row costs, in postings decoded. */
export const READ = 512

/** What a search may still decode. */
export interface Budget {
  postings: number
}

/** Every time a term occurs, in order. Where places are not kept, how often an ordinal comes tells how often it occurs. */
export interface Occurrences {
  readonly ords: ArrayLike<number>
  readonly places: ArrayLike<number> | null
}

// Used by one call at a time: nothing here waits for anything.
const head = createBytes()
const body = createBytes()

/** Writes the posts among the occurrences from `from` to `to`. */
export function encodeGaps(ords: ArrayLike<number>, from: number, to: number, into: Bytes): void {
  head.clear()
  body.clear()
  let count = 0
  let previous = -1
  let blockStart = -1
  let [bodyStart, inBlock] = [0, 0]
  for (let at = from; at < to;) {
    const ord = ords[at++]!
    while (at < to && ords[at] === ord) at++
    body.number(ord - previous)
    previous = ord
    count++
    if (++inBlock < BLOCK && at < to) continue
    head.number(ord - blockStart)
    head.number(body.length - bodyStart)
    ;[blockStart, bodyStart, inBlock] = [ord, body.length, 0]
  }
  into.number(count)
  into.append(head)
  into.append(body)
}

/** Bytes of a list, or of its details, and where they begin. */
export interface Stored {
  readonly bytes: Uint8Array
  readonly at: number
}

/** An encoded list, its table of blocks read. */
export interface Blocks {
  readonly bytes: Uint8Array
  readonly count: number
  /** The last ordinal of each block, and where its bytes end. */
  readonly lasts: readonly number[]
  readonly ends: readonly number[]
  /** Where the first block begins. */
  readonly start: number
}

const reader = createReader()

export function readBlocks({ bytes, at }: Stored): Blocks {
  reader.bytes = bytes
  reader.at = at
  const count = reader.number()
  const lasts: number[] = []
  const ends: number[] = []
  for (let left = count, last = -1, end = 0; left > 0; left -= BLOCK) {
    lasts.push((last += reader.number()))
    ends.push((end += reader.number()))
  }
  const start = reader.at
  for (let i = 0; i < ends.length; i++) ends[i]! += start
  return { bytes, count, lasts, ends, start }
}

/** Decodes one block into `into`; how many posts it has. */
export function decodeBlock(blocks: Blocks, block: number, into: Uint32Array): number {
  const { bytes } = blocks
  const count = Math.min(BLOCK, blocks.count - block * BLOCK)
  let at = block === 0 ? blocks.start : blocks.ends[block - 1]!
  let ord = block === 0 ? -1 : blocks.lasts[block - 1]!
  for (let i = 0; i < count; i++) {
    let gap = bytes[at++]!
    if (gap > 127) {
      let byte = gap
      gap &= 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        gap |= (byte & 127) << shift
      }
    }
    into[i] = ord += gap
  }
  return count
}
