/** The results of the search benchmark. */
import type { Costliest } from './search-hostile.ts'
import type { Latency } from './search-latency.ts'

export interface SizeResult {
  readonly corpus: string
  readonly posts: number
  readonly indexPostsPerS: number | null
  readonly bytesPerPost: number
  readonly readyMs: number
  readonly rssMb: number
  readonly newest: Latency
  readonly newestAgain: Latency
  readonly relevance: Latency
  readonly relevanceAgain: Latency
  readonly relevanceByKind: Readonly<Record<string, Latency>>
  /** While 500 posts a second are being indexed. */
  readonly busyRelevance: Latency
  readonly busyPostsPerS: number
  /** Of the queries that are designed to be costly. */
  readonly costliest: Costliest
  readonly rivals: Readonly<Record<string, RivalResult>>
}

export interface RivalResult extends Latency {
  readonly byKind: Readonly<Record<string, Latency>>
  /** Its time divided by the index's, both when asked for the second time. */
  readonly times: { readonly p50: number; readonly p95: number }
}
