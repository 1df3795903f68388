/** Page, total and facets are collectors of one pass: a scan (matches.ts) hands every match to each of them once. */
import type { IncompleteReason } from '../../model/incomplete.ts'
import type { SearchHit, SearchQuery, SearchResult } from '../../model/query.ts'
import type { SearchLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import type { Columns } from './columns.ts'
import type { Budget } from './postings/postings.ts'
import type { Snapshot } from './snapshot.ts'

/** A search in progress: the query, the snapshot it runs on, and what it may still cost. */
export interface Search {
  readonly snapshot: Snapshot
  readonly query: SearchQuery
  readonly plan: Plan
  readonly budget: SearchBudget
}

interface SearchBudget extends Budget {
  /** Which limit was reached first; null while the answer is complete. */
  reason: IncompleteReason | null
}

export function createBudget({ postings }: SearchLimits): SearchBudget {
  return { postings, reason: null }
}

/** A match as the scan visits it. The object is reused for the next match: copy what you keep. */
export interface Match {
  sec: number
  slot: number
  bucket: number
  columns: Columns
}

export interface Collector {
  /** Takes one match; returns false when it needs no more. */
  collect(match: Match): boolean
}

export interface Page {
  /** Takes part in the pass over all matches. Null for a page that continues after another: it makes its own pass. */
  readonly collector: Collector | null
  /** `count` is the number of matches; a page that makes its own pass ignores it. */
  finish(count: number): RawPage
}

export interface RawPage {
  readonly hits: readonly RawHit[]
  readonly next: SearchResult['next']
  readonly relaxed: boolean
}

/** A hit whose cluster has not been looked up yet. */
interface RawHit extends Omit<SearchHit, 'cluster'> {
  readonly group: number
}

/** Hands matches to the collectors until none needs more. Returns the number of matches visited. */
export function collect(
  scan: { readonly match: Match; next(): boolean },
  collectors: readonly Collector[],
): number {
  const { match } = scan
  const waiting = [...collectors]
  let count = 0
  while (waiting.length > 0 && scan.next()) {
    count++
    for (let i = waiting.length - 1; i >= 0; i--) {
      if (!waiting[i]!.collect(match)) waiting.splice(i, 1)
    }
  }
  return count
}

/** A collector that needs every match, up to the limit on visits. */
export function createVisitor({ plan, budget }: Search, visit: (match: Match) => void): Collector {
  let left = plan.limits.visits
  return {
    collect(match) {
      if (left-- > 0) {
        visit(match)
        return true
      }
      budget.reason ??= 'visits'
      return false
    },
  }
}
