import { MINUTE_MS } from '../../model/time.ts'
import type { FrontierOverview, Gap } from '../frontier.ts'
import type { Database } from './database.ts'

/** Rows counted in one step, so that a million schedules block nobody. */
const ROWS_A_STEP = 1_500
/** How long the result for a store that takes several steps is cached. */
const REMEMBERED_MS = 30_000

interface Known {
  readonly overview: Promise<FrontierOverview>
  readonly at: number
}

/** Counts in steps. For a large store, calls within half a minute share one result. */
export function createOverview(db: Database): (now: number) => Promise<FrontierOverview> {
  let known: Known | undefined
  return async (now) => {
    const { rows } = (await db.read(() => db.get<{ rows: number }>(ROWS)))!
    if (rows <= ROWS_A_STEP) return count(db, now)
    if (known && Math.abs(now - known.at) < REMEMBERED_MS) return known.overview
    const begun = { overview: count(db, now), at: now }
    known = begun
    begun.overview.catch(() => {
      if (known === begun) known = undefined
    })
    return begun.overview
  }
}

async function count(db: Database, now: number): Promise<FrontierOverview> {
  const sums = { due: 0, late: 0, leased: 0 }
  const failures: Record<string, number> = {}
  for (let after = 0; ;) {
    const from = after
    const step = await db.read(() => db.get<Sums>(SUMS, now, MINUTE_MS, from, ROWS_A_STEP)!)
    if (step.last === null) break
    const { last } = step
    for (const name of ['due', 'late', 'leased'] as const) sums[name] += step[name]
    const failed = await db.read(() => db.all<KindCount>(FAILURES, from, last))
    for (const { kind, count } of failed) failures[kind] = (failures[kind] ?? 0) + count
    after = last
  }
  const oldest = await db.read(() => db.get<{ oldest: number | null }>(OLDEST, now)!.oldest)
  return { ...sums, oldestDueAt: oldest, gaps: await countGaps(db), failures }
}

async function countGaps(db: Database): Promise<Record<Gap['kind'], number>> {
  const gaps: Record<Gap['kind'], number> = { gap: 0, backfill: 0, refresh: 0 }
  for (let after = 0; ;) {
    const from = after
    const rows = await db.read(() =>
      db.all<KindCount & { kind: Gap['kind']; last: number }>(GAPS, from, ROWS_A_STEP),
    )
    if (rows.length === 0) return gaps
    for (const { kind, count } of rows) gaps[kind] += count
    after = Math.max(...rows.map(({ last }) => last))
  }
}

interface Sums extends Pick<FrontierOverview, 'due' | 'late' | 'leased'> {
  /** The last channel counted; null when there was none. */
  readonly last: number | null
}

interface KindCount {
  readonly kind: string
  readonly count: number
}

const ROWS = `select value as rows from totals where name = 'schedules'`
const SUMS = `select sum(next_visit_at <= ?1) as due,
  sum(next_visit_at <= ?1
    and ?1 - next_visit_at > max(?2, (next_visit_at - coalesce(last_visit_at, next_visit_at)) / 10.0)) as late,
  sum(lease_owner is not null and lease_until > ?1) as leased,
  max(channel_id) as last
  from (select channel_id, next_visit_at, last_visit_at, lease_owner, lease_until from schedules
    where channel_id > ?3 order by channel_id limit ?4)`
const OLDEST = 'select min(next_visit_at) as oldest from schedules where next_visit_at <= ?'
const FAILURES = `select coalesce(last_failure, 'unknown') as kind, count(*) as count from schedules
  where fails > 0 and channel_id > ? and channel_id <= ? group by 1`
const GAPS = `select kind, count(*) as count, max(id) as last
  from (select id, kind from gaps where id > ? order by id limit ?) group by kind`
