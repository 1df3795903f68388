import type { FrontierOverview } from '../../frontier.ts'
import { isMisplanned } from '../../schedule-rules.ts'
import { tally, type MemoryState } from './state.ts'

const MINUTE_MS = 60_000

export function frontierOverview(state: MemoryState, now: number): FrontierOverview {
  const kept = [...state.schedules.values()]
  const schedules = kept.map(({ schedule }) => schedule)
  const due = schedules.filter((schedule) => schedule.nextVisitAt <= now)
  const late = due.filter(({ nextVisitAt, lastVisitAt }) => {
    const interval = nextVisitAt - (lastVisitAt ?? nextVisitAt)
    return now - nextVisitAt > Math.max(MINUTE_MS, interval / 10)
  })
  const gapsOf = (kind: string) => state.gaps.filter((gap) => gap.kind === kind).length
  const failing = schedules.filter((schedule) => schedule.fails > 0)
  const failures = tally(failing.map((schedule) => schedule.lastFailure ?? 'unknown'))
  return {
    due: due.length,
    late: late.length,
    oldestDueAt: due.length === 0 ? null : Math.min(...due.map((s) => s.nextVisitAt)),
    leased: kept.filter(({ owner, until }) => owner !== null && until > now).length,
    misplanned: schedules.filter((schedule) => isMisplanned(schedule, now)).length,
    gaps: { gap: gapsOf('gap'), backfill: gapsOf('backfill'), refresh: gapsOf('refresh') },
    failures: Object.fromEntries(failures.map(({ value, count }) => [value, count])),
  }
}
