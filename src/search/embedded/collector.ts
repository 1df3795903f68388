/**
 * Page, total and facets are collectors of one pass: a scan (matches.ts) meets every match once and hands it to each of
 * them.
 */
import type { IncompleteReason } from '../../model/incomplete.ts'
import type { SearchHit, SearchQuery, SearchResult } from '../../model/query.ts'
import type { SearchLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import type { Columns } from './columns.ts'
import type { Budget } from './postings/postings.ts'
import type { Snapshot } from './snapshot.ts'

/** A search under way: what is asked, of which state of the index, and what it may still cost. */
export interface Search {
  readonly snapshot: Snapshot
  readonly query: SearchQuery
  readonly plan: Plan
  readonly budget: SearchBudget
}

interface SearchBudget extends Budget {
  /** Which bound was met first; null while nothing had to be left out. */
  reason: IncompleteReason | null
}

export function createBudget({ postings }: SearchLimits): SearchBudget {
  return { postings, reason: null }
}

/** A match as a scan meets it. Reused from one to the next: copy what you keep. */
export interface Match {
  sec: number
  slot: number
  bucket: number
  columns: Columns
}

export interface Collector {
  /** Takes one match; false when it needs no more. */
  collect(match: Match): boolean
}

/** A page on its way. */
export interface Page {
  /** Takes part in the pass through all matches. Null for a page that begins where another ended: it makes its own pass. */
  readonly collector: Collector | null
  /** `count`: how many matches there are. A page with a pass of its own is not told. */
  finish(count: number): RawPage
}

export interface RawPage {
  readonly hits: readonly RawHit[]
  readonly next: SearchResult['next']
  readonly relaxed: boolean
}

/** A hit whose cluster was not looked up yet. */
interface RawHit extends Omit<SearchHit, 'cluster'> {
  readonly group: number
}

/** Hands out matches until no collector needs more; how many were met. */
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

/** Needs every match, up to the bound on visits. */
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
