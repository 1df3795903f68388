import type { SearchResult } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import type { Asking } from './ask.ts'
import { matching, type Narrowing, type Query } from './query-dsl.ts'

/** One search, whatever its order. */
export interface Search {
  readonly plan: Plan
  readonly asking: Asking
  /** Channels with enough subscribers. */
  readonly channels: string | undefined
  /** Posts there are, about. */
  readonly posts: number
  /** Groups are looked at over the whole window. */
  readonly windowS: number
  /** Some operators forbid them. */
  readonly runsScripts: boolean
  /** About how many posts hold a term, where that was asked for. */
  df(term: string): number | undefined
  /** Told how many match as soon as that is known: what depends on it alone can be asked at once. */
  counted(total: Total): void
}

export function matchingOf({ plan, channels }: Search, narrowing: Narrowing = {}): Query {
  return matching(plan, { channels, ...narrowing })
}

export type Total = SearchResult['total']
