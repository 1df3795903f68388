import type { VisitFinished } from '../model/visit-finished.ts'
import type { ReadingResult } from '../store/archive.ts'
import type { LeasedVisit } from '../store/frontier.ts'
import { failureName } from './failures.ts'
import type { VisitEnd } from './visit.ts'

/** Events for observers; the crawler does not wait for them. */
export interface CrawlEvents {
  visitFinished(event: VisitFinished): void
  /** Visits are stopped until then, because most of them failed. */
  paused(event: { readonly until: number }): void
  candidateDecided(event: { readonly name: string; readonly verdict: string }): void
  /** A visit threw: a bug, or a store that cannot write. It is retried later. `channel` is empty if the loop itself threw. */
  crashed(event: { readonly channel: string; readonly error: unknown }): void
}

export function describeVisit(
  leased: LeasedVisit,
  end: VisitEnd,
  written: ReadingResult | 'stale',
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): VisitFinished {
  const isRegular = end.kind === 'read' && leased.schedule.newestNumber !== null
  const counts = written === 'stale' ? undefined : written
  return {
    channel: leased.channel.username,
    outcome: written === 'stale' ? 'stale' : outcomeOf(end),
    requests: end.requests,
    added: counts?.added.length ?? 0,
    changed: counts?.changed.length ?? 0,
    deleted: counts?.deleted.length ?? 0,
    tookMs: now - startedAt,
    lateMs: Math.max(0, startedAt - leased.schedule.nextVisitAt),
    delaysMs: isRegular ? end.fresh.map((post) => Math.max(0, now - post.publishedAt)) : [],
    openGaps: end.kind === 'read' ? end.result.gaps.length : leased.gaps.length,
  }
}

function outcomeOf(end: VisitEnd): string {
  if (end.kind === 'read') return 'page'
  return end.kind === 'failed' ? failureName(end.outcome) : end.kind
}
