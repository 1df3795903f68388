/**
 * A Bloom filter that tells whether a segment may hold a term. A query's word has a stem for every language of its
 * script, and most of these are in no post: without the filter each would cost a read in every segment.
 */
import { hash32 } from '../../terms.ts'

/** Sixteen bits a term and six probes let one absent term in a thousand through; most are rejected by the second probe. */
const BITS = 16
const LOOKS = 6

export const filterHash = (term: string) => hash32(term, 0x5bd1e995)

export function createFilter(hashes: Uint32Array): Uint8Array {
  const filter = new Uint8Array(Math.max(1, Math.ceil((hashes.length * BITS) / 8)))
  for (const hash of hashes) {
    for (let look = 0, at = hash; look < LOOKS; look++, at = next(at, hash)) {
      const bit = bitOf(at, filter)
      filter[bit >>> 3]! |= 1 << (bit & 7)
    }
  }
  return filter
}

export function mayHold(filter: Uint8Array, hash: number): boolean {
  for (let look = 0, at = hash; look < LOOKS; look++, at = next(at, hash)) {
    const bit = bitOf(at, filter)
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

function next(at: number, hash: number): number {
  return (Math.imul(at, 0x01000193) + (hash | 1)) >>> 0
}

function bitOf(at: number, filter: Uint8Array): number {
  return Math.floor((at / 2 ** 32) * (filter.length * 8))
}
