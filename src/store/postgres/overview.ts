import { MINUTE_MS } from '../../model/time.ts'
import type { FrontierOverview, Gap } from '../frontier.ts'
import type { Database } from './database.ts'

/** With more schedules than this the result is cached: otherwise each process would read them all every few seconds. */
const LARGE = 20_000
const REMEMBERED_MS = 30_000

interface Counted {
  readonly schedules: number
  readonly overview: FrontierOverview
}

/** For a large store, calls within half a minute get the same result. */
export function createOverview(
  db: Database,
  large = LARGE,
): (now: number) => Promise<FrontierOverview> {
  let known: { readonly overview: FrontierOverview; readonly at: number } | undefined
  return async (now) => {
    if (known && Math.abs(now - known.at) < REMEMBERED_MS) return known.overview
    const { schedules, overview } = await count(db, now)
    known = schedules < large ? undefined : { overview, at: now }
    return overview
  }
}

async function count(db: Database, now: number): Promise<Counted> {
  const [sums, counted, failures] = await Promise.all([
    db.slow.get<Sums>(SUMS, now),
    db.slow.all<{ kind: Gap['kind']; count: number }>(GAPS),
    db.slow.all<{ kind: string; count: number }>(FAILURES),
  ])
  const gaps: Record<Gap['kind'], number> = { gap: 0, backfill: 0, refresh: 0 }
  for (const { kind, count } of counted) gaps[kind] = count
  const overview = {
    due: sums!.due,
    late: sums!.late,
    oldestDueAt: sums!.oldest,
    leased: sums!.leased,
    gaps,
    failures: Object.fromEntries(failures.map((row) => [row.kind, row.count])),
  }
  return { schedules: sums!.schedules, overview }
}

interface Sums extends Pick<FrontierOverview, 'due' | 'late' | 'leased'> {
  readonly schedules: number
  readonly oldest: number | null
}

const SUMS = `select count(*)::integer as schedules, (count(*) filter (where next_visit_at <= $1))::integer as due,
  (count(*) filter (where next_visit_at <= $1 and $1 - next_visit_at >
    greatest(${MINUTE_MS}, (next_visit_at - coalesce(last_visit_at, next_visit_at)) / 10.0)))::integer as late,
  min(next_visit_at) filter (where next_visit_at <= $1) as oldest,
  (count(*) filter (where lease_owner is not null and lease_until > $1))::integer as leased
  from schedules`
const GAPS = 'select kind, count(*)::integer as count from gaps group by kind'
const FAILURES = `select coalesce(last_failure, 'unknown') as kind, count(*)::integer as count from schedules
  where fails > 0 group by 1`
