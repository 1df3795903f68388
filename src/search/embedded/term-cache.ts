import type { Expansion } from '../expr.ts'
import { mostFrequent } from '../expand.ts'
import type { LeafCache } from '../plan.ts'
import { filterHash, type Segment } from './postings/postings.ts'

const MAX_FREQUENCIES = 32_000
const MAX_NEAREST = 1_000
const MAX_LEAVES = 2_000
/** Cached expansions, of prefixes with a limit of few words: the ranker asks for these for every word of a relaxed search. */
const MAX_EXPANSIONS = 1_000
const FEW_WORDS = 16

/** Caches what is known of terms in the serving segments. Whoever changes these must clear it. */
export function createTermCache(segments: ReadonlyMap<number, Segment>) {
  const frequencies = new Map<string, number>()
  const nearest = new Map<string, readonly string[]>()
  const leaves: LeafCache = new Map()
  const expansions = new Map<string, Expansion>()

  return {
    df(term: string): number {
      let sum = frequencies.get(term)
      if (sum === undefined) {
        sum = 0
        const hash = filterHash(term)
        for (const segment of segments.values()) sum += segment.find(term, hash)?.df ?? 0
        if (frequencies.size >= MAX_FREQUENCIES) frequencies.clear()
        frequencies.set(term, sum)
      }
      return sum
    },
    dfOfRare(term: string): number {
      let sum = 0
      const hash = filterHash(term)
      for (const segment of segments.values()) sum += segment.peek(term, hash)?.df ?? 0
      return sum
    },
    expand(prefix: string, limit: number, look: number): Expansion {
      const key = `${prefix} ${limit} ${look}`
      let found = expansions.get(key)
      if (!found) {
        found = expandPrefix(segments.values(), prefix, limit, look)
        if (expansions.size >= MAX_EXPANSIONS) expansions.clear()
        if (limit <= FEW_WORDS) expansions.set(key, found)
      }
      return found
    },
    get nearest() {
      if (nearest.size >= MAX_NEAREST) nearest.clear()
      return nearest
    },
    get leaves() {
      if (leaves.size >= MAX_LEAVES) leaves.clear()
      return leaves
    },
    clear(): void {
      for (const cache of [frequencies, nearest, leaves, expansions]) cache.clear()
    },
  }
}

function expandPrefix(
  segments: Iterable<Segment>,
  prefix: string,
  limit: number,
  look: number,
): Expansion {
  const dfs = new Map<string, number>()
  for (const segment of segments) {
    for (const { term, df } of segment.withPrefix(prefix, look + 1)) {
      dfs.set(term, (dfs.get(term) ?? 0) + df)
    }
  }
  const found = [...dfs.keys()].sort().slice(0, look + 1)
  return mostFrequent(
    found.map((term) => ({ term, df: dfs.get(term)! })),
    limit,
    look,
  )
}
