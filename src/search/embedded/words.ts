import { hash32, stemTerm } from '../terms.ts'

/** A post's words as the ranker wants them, so that candidates need no second analysis: 8 bytes a word. */
export function packWords(toks: readonly string[], stems: readonly string[]): Uint8Array {
  const words = new Uint32Array(toks.length * 2)
  for (const [i, tok] of toks.entries()) {
    words[i] = hash32(tok)
    words[toks.length + i] = hash32(stemTerm(stems[i] ?? tok))
  }
  return new Uint8Array(words.buffer)
}

export function unpackWords(bytes: Uint8Array): { toks: Uint32Array; stems: Uint32Array } {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
  const half = words.length / 2
  return { toks: words.subarray(0, half), stems: words.subarray(half) }
}
