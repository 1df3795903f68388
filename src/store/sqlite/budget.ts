import type { Budget } from '../budget.ts'
import {
  FULL_BUDGET,
  MINUTE_MS,
  firstMinute,
  isPaused,
  paceAt,
  slowDown,
  takeFrom,
  type BudgetRow,
} from '../budget-rules.ts'
import type { Database } from './database.ts'

export function createBudget(db: Database): Budget {
  const load = (): BudgetRow => {
    const row = db.get<Row>('select * from budget')
    if (!row) return FULL_BUDGET
    const { tokens, pace } = row
    const { updated_at, pace_at, paused_until } = row
    return { tokens, pace, updatedAt: updated_at, paceAt: pace_at, pausedUntil: paused_until }
  }
  const save = ({ tokens, updatedAt, pace, paceAt, pausedUntil }: BudgetRow) =>
    db.run(SAVE, tokens, updatedAt, pace, paceAt, pausedUntil)
  const lastHour = (now: number) =>
    db.get<{ granted: number; live: number }>(HOUR, firstMinute(now))!

  return {
    take: ({ share, ratePerS, now }) =>
      db.write(() => {
        const liveLastHour = share === 'live' ? lastHour(now).live : 0
        const { row, waitMs } = takeFrom(load(), { share, ratePerS, now, liveLastHour })
        save(row)
        if (waitMs === 0) {
          const minute = Math.floor(now / MINUTE_MS)
          db.run(COUNT, minute, share === 'live' ? 1 : 0)
          db.run('delete from budget_minutes where minute < ?', firstMinute(now))
        }
        return { waitMs }
      }),
    backOff: (now, until) =>
      db.write(() => {
        save(slowDown(load(), now, until))
      }),
    state: (now, ratePerS) =>
      db.read(() => {
        const row = load()
        const { granted, live } = lastHour(now)
        return {
          ratePerS: ratePerS * paceAt(row, now),
          pausedUntil: isPaused(row, now) ? row.pausedUntil : null,
          lastHour: granted,
          lastHourLive: live,
        }
      }),
  }
}

interface Row {
  readonly tokens: number
  readonly updated_at: number
  readonly pace: number
  readonly pace_at: number
  readonly paused_until: number
}

const SAVE = 'insert or replace into budget values (1, ?, ?, ?, ?, ?)'
const HOUR = `select coalesce(sum(granted), 0) as granted, coalesce(sum(live), 0) as live
  from budget_minutes where minute >= ?`
const COUNT = `insert into budget_minutes values (?, 1, ?)
  on conflict do update set granted = granted + 1, live = live + excluded.live`
