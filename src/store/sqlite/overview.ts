import type { FrontierOverview, Gap } from '../frontier.ts'
import { CLOCK_SLACK_MS, FARTHEST_PLAN_MS } from '../schedule-rules.ts'
import type { Database } from './database.ts'

const MINUTE_MS = 60_000

export function frontierOverview(db: Database, now: number): FrontierOverview {
  const sums = db.get<{
    due: number
    late: number
    oldest: number | null
    leased: number
    misplanned: number
  }>(SUMS, now, MINUTE_MS, now + CLOCK_SLACK_MS, now + FARTHEST_PLAN_MS)!
  const gaps: Record<Gap['kind'], number> = { gap: 0, backfill: 0, refresh: 0 }
  for (const row of db.all<{ kind: Gap['kind']; count: number }>(GAPS)) gaps[row.kind] = row.count
  const failures = db.all<{ kind: string; count: number }>(FAILURES)
  return {
    due: sums.due,
    late: sums.late,
    oldestDueAt: sums.oldest,
    leased: sums.leased,
    misplanned: sums.misplanned,
    gaps,
    failures: Object.fromEntries(failures.map((row) => [row.kind, row.count])),
  }
}

const SUMS = `select (select count(*) from schedules where next_visit_at <= ?1) as due,
  (select count(*) from schedules where next_visit_at <= ?1
    and ?1 - next_visit_at > max(?2, (next_visit_at - coalesce(last_visit_at, next_visit_at)) / 10.0)) as late,
  (select min(next_visit_at) from schedules where next_visit_at <= ?1) as oldest,
  (select count(*) from schedules where lease_owner is not null and lease_until > ?1) as leased,
  (select count(*) from schedules where planned_at > ?3 or last_visit_at > ?3 or next_visit_at > ?4) as misplanned`
const GAPS = 'select kind, count(*) as count from gaps group by kind'
const FAILURES = `select coalesce(last_failure, 'unknown') as kind, count(*) as count from schedules
  where fails > 0 group by 1`
