import { AppError } from '../model/errors.ts'
import type { SearchResult } from '../model/query.ts'
import { partsOf } from '../model/query-tree.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { searchAsMeant } from './search-as-meant.ts'
import type { ReadSearch } from './search-query.ts'
import type { Warning } from './warnings.ts'

/**
 * Whoever asks for an order may not know that only the best posts may lack words, and takes an empty answer for silence. A
 * search by relevance tells whether the words emptied the answer, or a filter.
 */
export async function allWordsWarning(
  index: SearchIndex,
  { query, root }: Pick<ReadSearch, 'query' | 'root'>,
  { hits, total, complete }: Pick<SearchResult, 'hits' | 'total' | 'complete'>,
  signal: AbortSignal | undefined,
): Promise<Warning[]> {
  const mayLack = query.match === 'stem' && !query.strict
  if (query.sort === 'relevance' || !mayLack || query.after !== null) return []
  if (hits.length > 0 || total.value > 0 || !complete) return []
  if (partsOf(root).filter(({ kind }) => kind === 'word').length < 2) return []
  const best = { ...query, sort: 'relevance', limit: 1, facets: [] } as const
  const found = await searchAsMeant(index, best, signal).catch((error: unknown) => {
    // The answer itself has been found, so it is not refused for want of a hint.
    if (error instanceof AppError) return { hits: [] }
    throw error
  })
  if (found.hits.length === 0) return []
  const detail = `no post has all the words, and sort=${query.sort} requires them all; sort=relevance also finds posts with some`
  return [{ code: 'all_words_required', parameter: 'sort', detail, suggestion: 'relevance' }]
}
