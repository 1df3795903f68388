import type { SearchResult } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import type { EngineSession } from './engine-session.ts'
import type { NearWords } from './near-words.ts'
import { matching, type Narrowing, type Query } from './query-dsl.ts'

/** One search, in any order. */
export interface Search {
  readonly plan: Plan
  readonly session: EngineSession
  /** Channels with enough subscribers. */
  readonly channels: string | undefined
  /** Estimated number of posts in the index. */
  readonly posts: number
  /** Start of the window: groups are looked at within all of it. */
  readonly windowS: number
  /** Estimated number of posts that hold a term; undefined if it was not asked for. */
  df(term: string): number | undefined
  /** The same of other terms, which takes a request. */
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Words that are near to these, with the number of posts that hold them. */
  nearWords(words: readonly string[]): Promise<NearWords>
  /** Called with the number of matches as soon as it is known, so that requests which depend on it alone can start. */
  counted(total: Total): void
}

export function matchingOf({ plan, channels }: Search, narrowing: Narrowing = {}): Query {
  return matching(plan, { channels, ...narrowing })
}

export type Total = SearchResult['total']
