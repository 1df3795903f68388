import { hash32 } from './terms.ts'
import type { IndexDocument } from './search-index.ts'

/**
 * Near-duplicates by leaders: a post joins the group whose first post it resembles, or leads one of its own. What
 * leads to a group is the hash of the folded text, the post both were forwarded from, or a band of the MinHash
 * sketch; a band only raises suspicion, the sketch decides.
 */
export interface GroupBook {
  /** The group a key leads to. */
  find(key: number): number | undefined
  sketch(group: number): readonly number[]
  create(sketch: readonly number[]): number
  /** Keeps the first group a key led to. */
  link(key: number, group: number): void
}

const SIMILAR = 0.5

/** The post's group; undefined for a post with nothing to compare. */
export function assignGroup(document: IndexDocument, book: GroupBook): number | undefined {
  const certain = certainKeys(document)
  const bands = document.bands.map((band, i) => key(2 + i, String(band)))
  if (certain.length === 0 && bands.length === 0) return undefined
  const group = findCertain(certain, book) ?? findSimilar(document.sketch, bands, book)
  const joined = group ?? book.create(document.sketch)
  for (const each of [...certain, ...bands]) book.link(each, joined)
  return joined
}

function findCertain(keys: readonly number[], book: GroupBook): number | undefined {
  for (const each of keys) {
    const group = book.find(each)
    if (group !== undefined) return group
  }
  return undefined
}

function findSimilar(
  sketch: readonly number[],
  bands: readonly number[],
  book: GroupBook,
): number | undefined {
  let best: number | undefined
  let bestSimilarity = SIMILAR
  const seen = new Set<number>()
  for (const band of bands) {
    const group = book.find(band)
    if (group === undefined || seen.has(group)) continue
    seen.add(group)
    const similarity = resemblance(sketch, book.sketch(group))
    if (similarity > bestSimilarity || (similarity === bestSimilarity && best === undefined)) {
      best = group
      bestSimilarity = similarity
    }
  }
  return best
}

/** Share of equal places, an estimate of the Jaccard similarity of what was sketched. */
function resemblance(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  if (length === 0) return 0
  let equal = 0
  for (let i = 0; i < length; i++) if (a[i] === b[i]) equal++
  return equal / length
}

function certainKeys(document: IndexDocument): number[] {
  const keys: number[] = []
  if (document.exactHash !== null) keys.push(key(0, document.exactHash))
  if (document.forwardedPost !== null) keys.push(key(1, document.forwardedPost))
  return keys
}

/** 52 bits, so that it is a safe integer in SQL and JavaScript. */
function key(kind: number, text: string): number {
  return hash32(text, kind) * 0x100000 + (hash32(text, kind + 101) & 0xfffff)
}
