/**
 * Terms as the archive keeps them for the word search within a channel: sorted 30-bit hashes. Hashes may collide, so a match
 * is checked against the text before it is shown.
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  // The low bits of a product do not depend on the high bits of its factors: mix them.
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

/** For adapters: whether the kept hashes include at least one form of every word. */
export function holdsHashes(
  kept: ReadonlySet<number>,
  asked: readonly (readonly number[])[],
): boolean {
  return asked.every((forms) => forms.some((hash) => kept.has(hash)))
}

/** For adapters: how many posts a word search looks at, and how many texts it reads, before it returns a cursor. */
export const MAX_WALKED = 50_000
export const MAX_READ = 2_000
