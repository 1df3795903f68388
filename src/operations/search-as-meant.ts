import type { Correction, QueryNode, SearchQuery, SearchResult } from '../model/query.ts'
import { mapLeaves } from '../model/query-tree.ts'
import type { SearchIndex } from '../search/search-index.ts'

/**
 * Searches; where no post holds a word, its nearest spelling is looked for in its place. What is found so lacks the word as
 * typed, and is counted by no total. The position of the next page carries what was put in, so that a walk goes on with it.
 */
export async function searchAsMeant(
  index: SearchIndex,
  query: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const [mark, given] = query.after ?? []
  if (query.after && mark === CORRECTED) {
    const corrections = JSON.parse(String(given)) as Correction[]
    const rest = { ...query, after: query.after.slice(2), facets: [] }
    const { total: _, ...found } = await searchFor(index, rest, corrections, signal)
    return { ...found, total: { value: 0, relation: 'eq' } }
  }
  const first = await index.search(query, signal)
  const mayLack = query.match === 'stem' && !query.strict
  if (first.corrections.length === 0 || !mayLack) return first
  const found = await searchFor(index, { ...query, facets: [] }, first.corrections, signal)
  if (found.hits.length === 0) return first
  const complete = first.complete && found.complete
  const reason = first.reason ?? found.reason
  const { hits, next } = found
  return { ...first, hits, next, relaxed: true, complete, reason }
}

/** No engine's own positions begin so. */
const CORRECTED = 'corrected'

async function searchFor(
  index: SearchIndex,
  query: SearchQuery,
  corrections: readonly Correction[],
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const root = query.root && withCorrections(query.root, corrections)
  const found = await index.search({ ...query, root }, signal)
  const typed = corrections.map(({ word }) => word)
  const nearest = new Set(corrections.map((each) => each.nearest))
  return {
    ...found,
    hits: found.hits.map((hit) => ({
      ...hit,
      matched: 'some',
      missing: [...typed, ...hit.missing.filter((word) => !nearest.has(word))],
    })),
    next: found.next && [CORRECTED, JSON.stringify(corrections), ...found.next],
    relaxed: true,
    corrections,
  }
}

/** The query with the nearest words in their places, for what is looked for and what is marked. */
export function withCorrections(root: QueryNode, corrections: readonly Correction[]): QueryNode {
  return mapLeaves(root, (leaf) => {
    if (leaf.kind !== 'word') return leaf
    const meant = corrections.find(({ start }) => start === leaf.start)
    return meant ? { ...leaf, text: meant.nearest } : leaf
  })
}
