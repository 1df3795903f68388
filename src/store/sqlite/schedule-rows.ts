import { newSchedule, type Schedule } from '../frontier.ts'
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

export function hasSchedule(db: Database, channelId: number): boolean {
  return scheduleRow(db, channelId) !== undefined
}

export function insertSchedule(db: Database, channelId: number, schedule: Schedule): void {
  db.run(INSERT, channelId, ...valuesOf(schedule))
}

/** What was asked for during the visit stands beside what the policy decided from it. */
export function saveSchedule(db: Database, row: ScheduleRow, schedule: Schedule): void {
  db.run(SAVE, ...valuesOf(schedule), row.channel_id)
  if (row.hastened_at !== null) hasten(db, row.channel_id, row.hastened_at)
}

export function hasten(db: Database, channelId: number, at: number): void {
  const isScheduled = db.run(HASTEN, at, channelId) > 0
  if (isScheduled || namesOf(db, channelId).length === 0) return
  insertSchedule(db, channelId, newSchedule(at))
}

/** For a channel that turned out to be another: its schedule serves where that one has none. */
export function moveSchedule(db: Database, from: number, to: number): void {
  if (hasSchedule(db, to) || !hasSchedule(db, from)) return
  db.run('update schedules set channel_id = ? where channel_id = ?', to, from)
  db.run('update gaps set channel_id = ? where channel_id = ?', to, from)
}

function valuesOf(schedule: Schedule): (number | string | null)[] {
  return [
    Math.round(schedule.nextVisitAt),
    Math.round(schedule.earliestVisitAt),
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
  fails, last_failure, demand, newest_number, refreshed_at, doubt, doubted_at, planned_at`
const SAVE = `update schedules set ${COLUMNS.split(',')
  .map((column) => `${column} = ?`)
  .join(',')} where channel_id = ?`
const HASTEN = `update schedules set next_visit_at = min(next_visit_at, ?1),
  earliest_visit_at = min(earliest_visit_at, ?1), hastened_at = min(coalesce(hastened_at, ?1), ?1)
  where channel_id = ?2`
const INSERT = `insert into schedules (channel_id, ${COLUMNS}) values (?${', ?'.repeat(15)})`
