import type { ReadingResult } from '../store/archive.ts'
import type { LeasedVisit } from '../store/frontier.ts'
import { failureName } from './failures.ts'
import type { VisitEnd } from './visit.ts'

export interface VisitFinished {
  readonly channel: string
  /** `page`; what was met instead; `opted_out`, `other_channel`, `stale`; or what is `doubted`. */
  readonly outcome: string
  readonly requests: number
  readonly added: number
  readonly changed: number
  readonly deleted: number
  readonly tookMs: number
  /** How late the visit began. */
  readonly lateMs: number
  /** How long each new post of a channel visited before had been out when it was found. */
  readonly delaysMs: readonly number[]
  readonly openGaps: number
}

/** What an observer may want to know; nothing waits for it. */
export interface CrawlEvents {
  visitFinished(event: VisitFinished): void
  /** Visits stop until then, because most of them fail. */
  paused(event: { readonly until: number }): void
  /** Visits that a wrong clock had planned were made due. */
  plansVoided(event: { readonly count: number }): void
  candidateDecided(event: { readonly name: string; readonly verdict: string }): void
  /** A visit threw: a bug, or a store that cannot write. It is tried again later. Without a channel: the loop itself. */
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
  if (end.kind === 'doubted') return `doubted_${end.surprise}`
  return end.kind === 'failed' ? failureName(end.outcome) : end.kind
}
