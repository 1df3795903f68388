import { stemTerm, wordHash } from '../terms.ts'

/**
 * A post's words as the ranker wants them, so that candidates need no second analysis: the hashes of its folded words,
 * then of its stems, in five characters each. As text, since SQLite hands a string over in half the time of a blob.
 */
export function packWords(toks: readonly string[], stems: readonly string[]): string {
  let packed = ''
  for (const tok of toks) packed += pack(wordHash(tok))
  for (const [i, tok] of toks.entries()) packed += pack(wordHash(stemTerm(stems[i] ?? tok)))
  return packed
}

export function unpackWords(packed: string): { toks: Uint32Array; stems: Uint32Array } {
  const words = new Uint32Array(packed.length / UNITS)
  for (let i = 0, at = 0; i < words.length; i++, at += UNITS) {
    words[i] =
      (packed.charCodeAt(at) - ZERO) |
      ((packed.charCodeAt(at + 1) - ZERO) << 6) |
      ((packed.charCodeAt(at + 2) - ZERO) << 12) |
      ((packed.charCodeAt(at + 3) - ZERO) << 18) |
      ((packed.charCodeAt(at + 4) - ZERO) << 24)
  }
  const half = words.length / 2
  return { toks: words.subarray(0, half), stems: words.subarray(half) }
}

/** 6 bits a character, from `0` on. */
const UNITS = 5
const ZERO = 48

function pack(hash: number): string {
  return String.fromCharCode(
    ZERO + (hash & 63),
    ZERO + ((hash >>> 6) & 63),
    ZERO + ((hash >>> 12) & 63),
    ZERO + ((hash >>> 18) & 63),
    ZERO + (hash >>> 24),
  )
}
