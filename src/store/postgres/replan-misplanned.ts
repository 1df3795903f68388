import {
  CLOCK_SLACK_MS,
  FARTHEST_PLAN_MS,
  LONGEST_LEASE_MS,
  isMisplanned,
  replanned,
} from '../schedule-rules.ts'
import { unpackScheduleRow, type StoredSchedule } from '../schedule-codec.ts'
import type { Database } from './database.ts'
import { SCHEDULES, saveSchedules } from './schedule-rows.ts'

const SCHEDULES_A_STEP = 1_000

/** See the port. Writes only where something is wrong, which is rare: it takes a clock that was wrong. */
export async function replanMisplanned(db: Database, now: number): Promise<number> {
  const bounds = [now + CLOCK_SLACK_MS, now + FARTHEST_PLAN_MS, now + LONGEST_LEASE_MS] as const
  let voided = 0
  for (;;) {
    const found = await db.slow.all<{ id: number }>(FIND, ...bounds, SCHEDULES_A_STEP)
    if (found.length === 0) return voided
    const ids = found.map(({ id }) => id)
    voided += await db.transaction(async (tx) => {
      const rows = (await tx.all<StoredSchedule>(HOLD, ids)).map(unpackScheduleRow)
      const wrong = rows.filter((row) => isMisplanned(row, now))
      const freed = rows.map((row) => ({
        ...row,
        ...(isMisplanned(row, now) ? replanned(row, now) : {}),
        ...(row.until > bounds[2] ? { owner: null, until: 0 } : {}),
      }))
      await saveSchedules(tx, freed)
      return wrong.length
    })
  }
}

const FIND = `select channel_id as id from schedules where planned_at > $1 or last_visit_at > $1
  or next_visit_at > $2 or lease_until > $3 order by 1 limit $4`
const HOLD = `select ${SCHEDULES.columns} from schedules where channel_id = any($1::int[])
  order by channel_id for update`
