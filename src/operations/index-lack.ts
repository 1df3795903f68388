import type { IndexState } from '../search/search-index.ts'

type Told = Pick<IndexState, 'generation' | 'posts' | 'problem'>

/** Why searches are refused: what the index says of itself, or that it was told of the archive's posts and is not there. */
export function lackOf(index: Told, archived: number, pending: number): string | null {
  const isNone = index.generation === 0 && index.posts === 0
  return index.problem ?? (isNone && archived > pending ? 'no index is there' : null)
}
