import type { Clock } from '../../model/clock.ts'
import { MINUTE_MS } from '../../model/time.ts'
import type { Budget } from '../budget.ts'
import {
  FULL_BUDGET,
  firstMinute,
  slowDown,
  stateOf,
  takeFrom,
  takeFromReserve,
  type BudgetRow,
  type ReserveRow,
} from '../budget-rules.ts'
import type { Database } from './database.ts'

export function createBudget(db: Database, clock: Clock): Budget {
  const load = () => db.get<BudgetRow>(LOAD) ?? FULL_BUDGET
  const save = ({ tokens, updatedAt, pace, paceAt, pausedUntil }: BudgetRow) =>
    db.run(SAVE, tokens, updatedAt, pace, paceAt, pausedUntil)
  const loadReserve = () => db.get<ReserveRow>(LOAD_RESERVE)
  const lastHour = (now: number) =>
    db.get<{ granted: number; live: number }>(HOUR, firstMinute(now))!

  return {
    take: ({ share, ratePerS }) =>
      db.write(() => {
        const now = clock.now()
        const liveLastHour = share === 'live' ? lastHour(now).live : 0
        const old = load()
        const { row, isTaken, waitMs } = takeFrom(old, { share, ratePerS, now, liveLastHour })
        if (row !== old) save(row)
        if (isTaken) {
          const minute = Math.floor((now + waitMs) / MINUTE_MS)
          db.run(COUNT, minute, share === 'live' ? 1 : 0)
          db.run('delete from budget_minutes where minute < ?', firstMinute(now))
        }
        return { isTaken, waitMs }
      }),
    takeReserve: (request) =>
      db.write(() => {
        const old = loadReserve()
        const { row, isTaken } = takeFromReserve(old, { ...request, now: clock.now() })
        if (row !== old) db.run(SAVE_RESERVE, row.credits, row.used, row.updatedAt)
        return isTaken
      }),
    backOff: (pauseMs) =>
      db.write(() => {
        const now = clock.now()
        save(slowDown(load(), now, now + pauseMs))
      }),
    state: (ratePerS) =>
      db.read(() => {
        const now = clock.now()
        const kept = { now, ...lastHour(now), budget: load(), reserve: loadReserve() }
        return stateOf(kept, ratePerS)
      }),
  }
}

const LOAD = `select tokens, updated_at as updatedAt, pace, pace_at as paceAt, paused_until as pausedUntil
  from budget`
const LOAD_RESERVE = 'select credits, used, updated_at as updatedAt from reserve'
const SAVE = 'insert or replace into budget values (1, ?, ?, ?, ?, ?)'
const SAVE_RESERVE = 'insert or replace into reserve values (1, ?, ?, ?)'
const HOUR = `select coalesce(sum(granted), 0) as granted, coalesce(sum(live), 0) as live
  from budget_minutes where minute >= ?`
const COUNT = `insert into budget_minutes values (?, 1, ?)
  on conflict do update set granted = granted + 1, live = live + excluded.live`
