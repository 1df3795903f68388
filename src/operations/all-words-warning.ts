import type { SearchResult } from '../model/query.ts'
import { partsOf } from '../model/query-tree.ts'
import type { ReadSearch } from './search-query.ts'
import type { Warning } from './warnings.ts'

/** Whoever asks for an order may not know that only the best posts may lack words, and takes an empty answer for silence. */
export function allWordsWarning(
  { query, root }: Pick<ReadSearch, 'query' | 'root'>,
  { hits, total }: Pick<SearchResult, 'hits' | 'total'>,
): Warning[] {
  const mayLack = query.match === 'stem' && !query.strict
  if (query.sort === 'relevance' || !mayLack || query.after !== null) return []
  if (hits.length > 0 || total.value > 0) return []
  if (partsOf(root).filter(({ kind }) => kind === 'word').length < 2) return []
  const detail = `no post has all the words, and sort=${query.sort} requires them all; sort=relevance also finds posts with some`
  return [{ code: 'all_words_required', parameter: 'sort', detail, suggestion: 'relevance' }]
}
