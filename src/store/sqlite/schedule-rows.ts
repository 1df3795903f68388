import { dueRow } from '../plan/new-rows.ts'
import type { ScheduleRow, Writes } from '../plan/rows.ts'
import {
  SCHEDULE_COLUMNS,
  packSchedule,
  unpackScheduleRow,
  type StoredSchedule,
} from '../schedule-codec.ts'
import { namesOf } from './channel-rows.ts'
import type { Database } from './database.ts'

export function scheduleRow(db: Database, channelId: number): StoredSchedule | undefined {
  return db.get<StoredSchedule>('select * from schedules where channel_id = ?', channelId)
}

export function loadSchedule(db: Database, channelId: number): ScheduleRow | undefined {
  const row = scheduleRow(db, channelId)
  return row && unpackScheduleRow(row)
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

function saveSchedule(db: Database, row: ScheduleRow): void {
  const stored = packSchedule(row)
  db.run(SAVE, ...SCHEDULE_COLUMNS.map((column) => stored[column]))
}

const SAVE = `insert into schedules (${SCHEDULE_COLUMNS.join(', ')}) values (?${', ?'.repeat(SCHEDULE_COLUMNS.length - 1)})
  on conflict do update set ${SCHEDULE_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`
const MAKE_DUE = `update schedules set next_visit_at = min(next_visit_at, ?1),
  earliest_visit_at = min(earliest_visit_at, ?1), hastened_at = min(coalesce(hastened_at, ?1), ?1)
  where channel_id = ?2`
export const ADD_GAP = `insert into gaps (channel_id, kind, before_number, down_to, until, lease_token)
  values (?, ?, ?, ?, ?, ?)`
