import type { SearchHit, SearchResult } from '../../model/query.ts'
import type { PlaceInTime } from '../prior.ts'
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

/** A page in an order that scores nothing; what was found beyond the limit tells that another follows. */
export function orderedPage<T extends PlaceInTime & Pick<RawHit, 'group'>>(
  found: readonly T[],
  limit: number,
  positionOf: (last: T) => RawPage['next'],
): RawPage {
  const shown = found.slice(0, limit)
  const end = shown.at(-1)
  return {
    hits: shown.map(({ channelId, number, group }) => ({
      channelId,
      number,
      score: 0,
      matched: 'all',
      missing: [],
      group,
    })),
    next: end && found.length > limit ? positionOf(end) : null,
    relaxed: false,
  }
}
