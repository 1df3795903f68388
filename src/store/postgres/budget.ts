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
  type KeptBudget,
} from '../budget-rules.ts'
import type { Database, Now, Queries } from './database.ts'

/** `budget-rules.ts` decides; SQL takes the lock, tells the time and writes. The time is read once the lock is held. */
export function createBudget(db: Database, now: Now): Budget {
  const held = async (tx: Queries) => {
    const [, kept] = await Promise.all([tx.run(LOCK), load(tx)])
    return kept
  }
  const load = async (queries: Queries): Promise<KeptBudget> => {
    const row = (await queries.get<Row>(LOAD, now()))!
    const { now: at, granted, live, credits, used, reserveAt, ...budget } = row
    return {
      now: at,
      granted,
      live,
      budget: budget.tokens === null ? FULL_BUDGET : budget,
      reserve: credits === null ? undefined : { credits, used, updatedAt: reserveAt },
    }
  }
  const save = (tx: Queries, { tokens, updatedAt, pace, paceAt, pausedUntil }: BudgetRow) =>
    tx.run(SAVE, tokens, updatedAt, pace, paceAt, pausedUntil)

  return {
    take: ({ share, ratePerS }) =>
      db.transaction(async (tx) => {
        const kept = await held(tx)
        const asked = { share, ratePerS, now: kept.now, liveLastHour: kept.live }
        const { row, isTaken, waitMs } = takeFrom(kept.budget, asked)
        const minute = Math.floor((kept.now + waitMs) / MINUTE_MS)
        await Promise.all([
          row !== kept.budget && save(tx, row),
          isTaken && tx.run(COUNT, minute, share === 'live' ? 1 : 0),
          isTaken && tx.run(FORGET, firstMinute(kept.now)),
        ])
        return { isTaken, waitMs }
      }),
    takeReserve: (request) =>
      db.transaction(async (tx) => {
        const kept = await held(tx)
        const { row, isTaken } = takeFromReserve(kept.reserve, { ...request, now: kept.now })
        const { credits, used, updatedAt } = row
        if (row !== kept.reserve) await tx.run(SAVE_RESERVE, credits, used, updatedAt)
        return isTaken
      }),
    backOff: (pauseMs) =>
      db.transaction(async (tx) => {
        const kept = await held(tx)
        await save(tx, slowDown(kept.budget, kept.now, kept.now + pauseMs))
      }),
    async state(ratePerS) {
      return stateOf(await load(db), ratePerS)
    },
  }
}

/** The columns of each joined table are null together. */
interface Row extends BudgetRow, Pick<KeptBudget, 'now' | 'granted' | 'live'> {
  readonly credits: number
  readonly used: number
  readonly reserveAt: number
}

// An advisory lock, since the rows do not exist before the first request.
const LOCK = `select pg_advisory_xact_lock(hashtextextended(current_schema() || ' budget', 0))`
const LOAD = `select t.now, h.granted, h.live, b.tokens, b.updated_at as "updatedAt", b.pace, b.pace_at as "paceAt",
    b.paused_until as "pausedUntil", r.credits, r.used, r.updated_at as "reserveAt"
  from (select clock_ms($1) as now) t left join budget b on true left join reserve r on true
  cross join lateral (select coalesce(sum(granted), 0)::integer as granted, coalesce(sum(live), 0)::integer as live
    from budget_minutes where minute >= t.now / ${MINUTE_MS} + ${firstMinute(0)}) h`
const SAVE = `insert into budget (id, tokens, updated_at, pace, pace_at, paused_until) values (1, $1, $2, $3, $4, $5)
  on conflict (id) do update set tokens = excluded.tokens, updated_at = excluded.updated_at, pace = excluded.pace,
    pace_at = excluded.pace_at, paused_until = excluded.paused_until`
const SAVE_RESERVE = `insert into reserve (id, credits, used, updated_at) values (1, $1, $2, $3)
  on conflict (id) do update set credits = excluded.credits, used = excluded.used, updated_at = excluded.updated_at`
const COUNT = `insert into budget_minutes as m values ($1, 1, $2)
  on conflict (minute) do update set granted = m.granted + 1, live = m.live + excluded.live`
const FORGET = 'delete from budget_minutes where minute < $1'
