import type {
  Correction,
  QueryNode,
  SearchPosition,
  SearchQuery,
  SearchResult,
} from '../model/query.ts'
import { leavesOf, mapLeaves, partsOf } from '../model/query-tree.ts'
import type { SearchIndex } from '../search/search-index.ts'

interface FoundAsMeant extends SearchResult {
  /** Where the posts are that hold a word only in its nearest spelling: on this page, on a later one, or nowhere. */
  readonly corrected: 'shown' | 'later' | 'none'
}

/**
 * Searches for the query as typed, then for a corrected one: a word that no post holds is replaced by its nearest spelling.
 * If an alternative (OR) finds posts as typed, the corrected hits follow those. They count as lacking the word as typed, and
 * in no total. The position of the next page carries the corrections, so that the walk continues with them.
 */
export async function searchAsMeant(
  index: SearchIndex,
  query: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<FoundAsMeant> {
  const { part, meant, after } = readPosition(query.after)
  if (part === CORRECTED) {
    const counting = { ...query, sort: 'newest', after: null, limit: 1 } as const
    // Like the total, facets count what was typed, on every page.
    const [found, typed] = await Promise.all([
      searchCorrected(index, { ...query, after, facets: [] }, meant!, signal),
      query.facets.length > 0 ? index.search(counting, signal) : undefined,
    ])
    return {
      ...found,
      facets: typed?.facets ?? {},
      complete: found.complete && typed?.complete !== false,
      reason: found.reason ?? typed?.reason ?? null,
      corrected: 'shown',
    }
  }
  const typed = await index.search({ ...query, after }, signal)
  const { corrections, total } = meant ?? typed
  const mayLack = query.match === 'stem' && !query.strict
  if (corrections.length === 0 || !mayLack) return { ...typed, corrected: 'none' }
  // Posts with only some of the words are dropped: those with the nearest spelling are better.
  const hits = typed.hits.filter(({ matched }) => matched === 'all')
  const isOver = typed.next === null || hits.length < typed.hits.length
  const asMeant = { corrections, total }
  if (!isOver && meant) {
    return {
      ...typed,
      next: positionOf(TYPED, asMeant, typed.next!),
      corrections,
      corrected: 'later',
    }
  }
  const room = isOver ? query.limit - hits.length : 0
  const first = { ...query, after: null, facets: [], limit: Math.max(room, 1) }
  const found = await searchCorrected(index, first, asMeant, signal)
  if (found.hits.length === 0) return { ...typed, corrected: 'none' }
  if (room === 0) {
    const next = isOver
      ? positionOf(CORRECTED, asMeant, [])
      : positionOf(TYPED, asMeant, typed.next!)
    return { ...typed, hits, next, corrections, corrected: 'later' }
  }
  return {
    ...typed,
    hits: [...hits, ...found.hits],
    next: found.next,
    relaxed: true,
    complete: typed.complete && found.complete,
    reason: typed.reason ?? found.reason,
    corrections,
    corrected: 'shown',
  }
}

type Meant = Pick<SearchResult, 'corrections' | 'total'>
type Part = typeof TYPED | typeof CORRECTED

/** No engine's own positions start like these. */
const TYPED = 'as typed'
const CORRECTED = 'as corrected'

function positionOf(part: Part, meant: Meant, after: SearchPosition): SearchPosition {
  return [part, JSON.stringify(meant), ...after]
}

function readPosition(position: SearchQuery['after']): {
  readonly part: Part
  readonly meant?: Meant
  readonly after: SearchQuery['after']
} {
  const [part, meant, ...after] = position ?? []
  if (part !== TYPED && part !== CORRECTED) return { part: TYPED, after: position }
  return {
    part,
    meant: JSON.parse(String(meant)) as Meant,
    after: after.length > 0 ? after : null,
  }
}

async function searchCorrected(
  index: SearchIndex,
  query: SearchQuery,
  meant: Meant,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const { corrections, total } = meant
  const found = await index.search(
    { ...query, root: rootBehind(query, corrections, total) },
    signal,
  )
  const typed = corrections.map(({ word }) => word)
  const nearest = new Set(corrections.map((each) => each.nearest))
  return {
    ...found,
    total,
    hits: found.hits.map((hit) => ({
      ...hit,
      matched: 'some',
      missing: [...typed, ...hit.missing.filter((word) => !nearest.has(word))],
    })),
    next: found.next && positionOf(CORRECTED, meant, found.next),
    relaxed: true,
    corrections,
  }
}

/** The corrected query, without the posts that were found as typed. */
function rootBehind(
  { root }: SearchQuery,
  corrections: readonly Correction[],
  { value }: SearchResult['total'],
): QueryNode | null {
  if (root === null) return null
  const corrected = withCorrections(root, corrections)
  if (value === 0) return corrected
  const isCorrected = (part: QueryNode) =>
    leavesOf(part).some((leaf) => corrections.some(({ start }) => start === leaf.start))
  const typed: QueryNode = { kind: 'and', nodes: partsOf(root).filter(isCorrected) }
  return { kind: 'and', nodes: [...partsOf(corrected), { kind: 'not', node: typed }] }
}

/** The query with its words corrected, for searching and for highlighting. */
export function withCorrections(root: QueryNode, corrections: readonly Correction[]): QueryNode {
  return mapLeaves(root, (leaf) => {
    if (leaf.kind !== 'word') return leaf
    const meant = corrections.find(({ start }) => start === leaf.start)
    return meant ? { ...leaf, text: meant.nearest } : leaf
  })
}
