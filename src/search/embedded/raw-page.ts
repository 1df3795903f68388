import type { SearchHit, SearchResult } from '../../model/query.ts'
import type { Seen } from './matches.ts'

/** A hit before it is told: `group` leads to its cluster. */
export interface RawHit extends Omit<SearchHit, 'cluster'> {
  readonly group: number
}

export interface RawPage {
  readonly hits: readonly RawHit[]
  readonly next: SearchResult['next']
  readonly relaxed: boolean
  /** The strict matches a first page has seen on its way. */
  readonly seen?: Seen
}
