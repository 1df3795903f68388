import type { Schedule } from '../frontier.ts'
import { dueRow } from '../plan/new-rows.ts'
import type { ScheduleRow as KeptRow, Writes } from '../plan/rows.ts'
import { namesOf } from './channel-rows.ts'
import type { Database } from './database.ts'

export interface ScheduleRow {
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
  readonly fresh_demand: number
  readonly hastened_at: number | null
  readonly newest_number: number | null
  readonly refreshed_at: number | null
  readonly doubt: string | null
  readonly doubted_at: number | null
  readonly planned_at: number | null
  readonly lease_owner: string | null
  readonly lease_token: number
  readonly lease_until: number
}

export function unpackSchedule(row: ScheduleRow): Schedule {
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

export function scheduleRow(db: Database, channelId: number): ScheduleRow | undefined {
  return db.get<ScheduleRow>('select * from schedules where channel_id = ?', channelId)
}

export function loadSchedule(db: Database, channelId: number): KeptRow | undefined {
  const row = scheduleRow(db, channelId)
  return (
    row && {
      ...unpackSchedule(row),
      channelId,
      demand: row.demand,
      freshDemand: row.fresh_demand,
      madeDueAt: row.hastened_at,
      owner: row.lease_owner,
      token: row.lease_token,
      until: row.lease_until,
    }
  )
}

export function writeSchedules(db: Database, writes: Writes): void {
  for (const id of writes.unscheduled) db.run('delete from schedules where channel_id = ?', id)
  for (const row of writes.schedules) saveSchedule(db, row)
  for (const { from, to } of writes.gapsMoved) {
    db.run('update gaps set channel_id = ? where channel_id = ?', to, from)
  }
  for (const id of [...writes.gapsDropped, ...writes.forgotten]) {
    db.run('delete from gaps where channel_id = ?', id)
  }
  for (const { channelId, token, gaps } of writes.gaps) {
    db.run('delete from gaps where channel_id = ? and lease_token = ?', channelId, token)
    for (const { kind, before, downTo, until } of gaps) {
      db.run(ADD_GAP, channelId, kind, before, downTo, until, token)
    }
  }
}

/** Makes the channel due by then. */
export function makeDue(db: Database, channelId: number, at: number): void {
  const isScheduled = db.run(MAKE_DUE, at, channelId) > 0
  if (isScheduled || namesOf(db, channelId).length === 0) return
  saveSchedule(db, dueRow(undefined, channelId, at))
}

export function saveSchedule(db: Database, row: KeptRow): void {
  const { owner, token, until } = row
  db.run(SAVE, row.channelId, ...valuesOf(row), row.freshDemand, row.madeDueAt, owner, token, until)
}

function valuesOf(schedule: Schedule): (number | string | null)[] {
  return [
    schedule.nextVisitAt,
    schedule.earliestVisitAt,
    schedule.lastVisitAt,
    schedule.seen,
    schedule.exposureDays,
    schedule.seenFast,
    schedule.exposureFastDays,
    schedule.fails,
    schedule.lastFailure,
    schedule.demand,
    schedule.newestNumber,
    schedule.refreshedAt,
    schedule.doubt,
    schedule.doubtedAt,
    schedule.plannedAt,
  ]
}

const COLUMNS = `next_visit_at, earliest_visit_at, last_visit_at, seen, exposure_days, seen_fast, exposure_fast_days,
  fails, last_failure, demand, newest_number, refreshed_at, doubt, doubted_at, planned_at, fresh_demand, hastened_at,
  lease_owner, lease_token, lease_until`
const LIST = COLUMNS.split(',').map((column) => column.trim())
const SAVE = `insert into schedules (channel_id, ${COLUMNS}) values (?${', ?'.repeat(LIST.length)})
  on conflict do update set ${LIST.map((column) => `${column} = excluded.${column}`).join(', ')}`
const MAKE_DUE = `update schedules set next_visit_at = min(next_visit_at, ?1),
  earliest_visit_at = min(earliest_visit_at, ?1), hastened_at = min(coalesce(hastened_at, ?1), ?1)
  where channel_id = ?2`
export const ADD_GAP = `insert into gaps (channel_id, kind, before_number, down_to, until, lease_token)
  values (?, ?, ?, ?, ?, ?)`
