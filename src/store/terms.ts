/**
 * Terms as the archive keeps them for the word search within a channel: hashes of 30 bits, sorted. Two terms may have the same
 * one, so a match is held against the text before it is shown.
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  // The low bits of a product say little of its high ones.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 2
}

export function termHashes(terms: readonly string[]): number[] {
  const hashes = new Int32Array(terms.length)
  for (let i = 0; i < hashes.length; i++) hashes[i] = termHash(terms[i]!)
  hashes.sort()
  const distinct: number[] = []
  for (let i = 0; i < hashes.length; i++) {
    if (i === 0 || hashes[i] !== hashes[i - 1]) distinct.push(hashes[i]!)
  }
  return distinct
}

/** For adapters: whether for each word one of its forms is among the hashes. */
export function holdsHashes(
  kept: ReadonlySet<number>,
  asked: readonly (readonly number[])[],
): boolean {
  return asked.every((forms) => forms.some((hash) => kept.has(hash)))
}

/** For adapters: how many posts a word search looks at, and how many texts it reads, before it gives a cursor instead. */
export const MAX_WALKED = 50_000
export const MAX_READ = 2_000
