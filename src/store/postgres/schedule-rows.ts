import type { Gap, Schedule } from '../frontier.ts'
import type { ScheduleRow, Writes } from '../plan/rows.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** Schedules and gaps ⇄ rows. */

export interface StoredSchedule {
  readonly channel_id: number
  readonly next_visit_at: number
  readonly earliest_visit_at: number
  readonly last_visit_at: number | null
  readonly seen: number
  readonly exposure_days: number
  readonly seen_fast: number
  readonly exposure_fast_days: number
  readonly fails: number
  readonly last_failure: string | null
  readonly demand: number
  readonly newest_number: number | null
  readonly refreshed_at: number | null
  readonly doubt: string | null
  readonly doubted_at: number | null
  readonly planned_at: number | null
  readonly fresh_demand: number
  readonly hastened_at: number | null
  readonly lease_owner: string | null
  readonly lease_token: number
  readonly lease_until: number
}

export interface StoredGap {
  readonly id: number
  readonly channel_id: number
  readonly kind: Gap['kind']
  readonly before_number: number
  readonly down_to: number
  readonly until: number | null
}

export function unpackSchedule(row: StoredSchedule): Schedule {
  return {
    nextVisitAt: row.next_visit_at,
    earliestVisitAt: row.earliest_visit_at,
    lastVisitAt: row.last_visit_at,
    seen: row.seen,
    exposureDays: row.exposure_days,
    seenFast: row.seen_fast,
    exposureFastDays: row.exposure_fast_days,
    fails: row.fails,
    lastFailure: row.last_failure,
    demand: row.demand + row.fresh_demand,
    newestNumber: row.newest_number,
    refreshedAt: row.refreshed_at,
    doubt: row.doubt,
    doubtedAt: row.doubted_at,
    plannedAt: row.planned_at,
  }
}

export function unpackScheduleRow(row: StoredSchedule): ScheduleRow {
  return {
    ...unpackSchedule(row),
    channelId: row.channel_id,
    demand: row.demand,
    freshDemand: row.fresh_demand,
    madeDueAt: row.hastened_at,
    owner: row.lease_owner,
    token: row.lease_token,
    until: row.lease_until,
  }
}

export function unpackGap(row: StoredGap): Gap {
  return {
    id: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    before: row.before_number,
    downTo: row.down_to,
    until: row.until,
  }
}

export async function writeSchedules(tx: Queries, writes: Writes): Promise<void> {
  const dropped = [...writes.gapsDropped, ...writes.forgotten]
  const added = writes.gaps.flatMap(({ channelId, token, gaps }) =>
    gaps.map(({ kind, before, downTo, until }) => ({
      channel_id: channelId,
      kind,
      before_number: before,
      down_to: downTo,
      until,
      lease_token: token,
    })),
  )
  await Promise.all([
    writes.unscheduled.length > 0 && tx.run(UNSCHEDULE, writes.unscheduled),
    writes.schedules.length > 0 && saveSchedules(tx, writes.schedules),
    ...writes.gapsMoved.map(({ from, to }) => tx.run(MOVE_GAPS, to, from)),
    dropped.length > 0 && tx.run(DROP_GAPS, dropped),
    ...writes.gaps.map(({ channelId, token }) => tx.run(REPLACE_GAPS, channelId, token)),
    added.length > 0 && tx.run(ADD_GAPS, ...GAPS.values(added)),
  ])
}

export function saveSchedules(queries: Queries, rows: readonly ScheduleRow[]): Promise<number> {
  const inOrder = rows.toSorted((a, b) => a.channelId - b.channelId)
  return queries.run(SAVE, ...SCHEDULES.values(inOrder.map(valuesOf)))
}

function valuesOf(row: ScheduleRow) {
  return {
    channel_id: row.channelId,
    next_visit_at: row.nextVisitAt,
    earliest_visit_at: row.earliestVisitAt,
    last_visit_at: row.lastVisitAt,
    seen: row.seen,
    exposure_days: row.exposureDays,
    seen_fast: row.seenFast,
    exposure_fast_days: row.exposureFastDays,
    fails: row.fails,
    last_failure: row.lastFailure,
    demand: row.demand,
    newest_number: row.newestNumber,
    refreshed_at: row.refreshedAt,
    doubt: row.doubt,
    doubted_at: row.doubtedAt,
    planned_at: row.plannedAt,
    fresh_demand: row.freshDemand,
    hastened_at: row.madeDueAt,
    lease_owner: row.owner,
    lease_token: row.token,
    lease_until: row.until,
  }
}

const SCHEDULES = rowSet({
  channel_id: 'int',
  next_visit_at: 'bigint',
  earliest_visit_at: 'bigint',
  last_visit_at: 'bigint',
  seen: 'float8',
  exposure_days: 'float8',
  seen_fast: 'float8',
  exposure_fast_days: 'float8',
  fails: 'int',
  last_failure: 'text',
  demand: 'float8',
  newest_number: 'int',
  refreshed_at: 'bigint',
  doubt: 'text',
  doubted_at: 'bigint',
  planned_at: 'bigint',
  fresh_demand: 'float8',
  hastened_at: 'bigint',
  lease_owner: 'text',
  lease_token: 'int',
  lease_until: 'bigint',
})
const GAPS = rowSet({
  channel_id: 'int',
  kind: 'text',
  before_number: 'int',
  down_to: 'int',
  until: 'bigint',
  lease_token: 'int',
})
const SAVE = `insert into schedules (${SCHEDULES.columns}) select * from ${SCHEDULES.from()}
  on conflict (channel_id) do update set ${SCHEDULES.excluded('channel_id')}`
const UNSCHEDULE = 'delete from schedules where channel_id = any($1::int[])'
const MOVE_GAPS = 'update gaps set channel_id = $1 where channel_id = $2'
const DROP_GAPS = 'delete from gaps where channel_id = any($1::int[])'
const REPLACE_GAPS = 'delete from gaps where channel_id = $1 and lease_token = $2'
const ADD_GAPS = `insert into gaps (${GAPS.columns}) select * from ${GAPS.from()}`
