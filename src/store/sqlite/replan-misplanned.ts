import {
  CLOCK_SLACK_MS,
  FARTHEST_PLAN_MS,
  LONGEST_LEASE_MS,
  isMisplanned,
  replanned,
} from '../schedule-rules.ts'
import { unpackSchedule, type StoredSchedule } from '../schedule-codec.ts'
import type { Database } from './database.ts'
import { loadSchedule, saveSchedule } from './schedule-rows.ts'

/** Channels checked in one step, so that a million schedules block nobody. */
const CHANNELS_A_STEP = 5_000

/** See the port. Writes only where something is wrong, which is rare: it takes a clock that was wrong. */
export async function replanMisplanned(db: Database, now: number): Promise<number> {
  let voided = 0
  const last = await db.read(() => db.get<{ id: number | null }>(LAST)?.id ?? 0)
  for (let from = 0; from <= last; from += CHANNELS_A_STEP) {
    const to = from + CHANNELS_A_STEP - 1
    const bounds = [now + CLOCK_SLACK_MS, now + FARTHEST_PLAN_MS, now + LONGEST_LEASE_MS, from, to]
    const replan = () => {
      const rows = db.all<StoredSchedule>(FIND, ...bounds)
      db.run(FREE, now + LONGEST_LEASE_MS, from, to)
      const wrong = rows.filter((row) => isMisplanned(unpackSchedule(row), now))
      for (const row of wrong) {
        const kept = loadSchedule(db, row.channel_id)!
        saveSchedule(db, { ...kept, ...replanned(kept, now) })
      }
      return wrong.length
    }
    voided += (await db.writeIf(() => db.get(FIND, ...bounds), replan)) ?? 0
  }
  return voided
}

const LAST = 'select max(channel_id) as id from schedules'
const FIND = `select * from schedules where (planned_at > ?1 or last_visit_at > ?1 or next_visit_at > ?2
  or lease_until > ?3) and channel_id between ?4 and ?5`
const FREE = `update schedules set lease_owner = null, lease_until = 0
  where lease_until > ? and channel_id between ? and ?`
