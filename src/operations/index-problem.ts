import type { IndexState } from '../search/search-index.ts'

type Told = Pick<IndexState, 'generation' | 'posts' | 'problem'>

/**
 * Why searches have to be refused: the index's own problem, or that there is no index although it was sent posts of the
 * archive.
 */
export function indexProblemOf(index: Told, archived: number, pending: number): string | null {
  const isNone = index.generation === 0 && index.posts === 0
  return index.problem ?? (isNone && archived > pending ? 'no index is there' : null)
}
