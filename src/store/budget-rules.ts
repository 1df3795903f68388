import { BURST, LIVE_SHARE } from './budget.ts'

/** The arithmetic of the request budget, on a state small enough for one row. */
export interface BudgetRow {
  readonly tokens: number
  readonly updatedAt: number
  /** Share of the configured rate, 0 to 1, as of `paceAt`. */
  readonly pace: number
  readonly paceAt: number
  readonly pausedUntil: number
}

export const FULL_BUDGET: BudgetRow = {
  tokens: BURST,
  updatedAt: 0,
  pace: 1,
  paceAt: 0,
  pausedUntil: 0,
}

export const MINUTE_MS = 60_000
const MAX_PAUSE_MS = 25 * 60 * MINUTE_MS
const HOUR_MINUTES = 60
const RECOVERY_PER_MINUTE = 0.05
const SLOWEST_PACE = 1 / 32

interface TakeRequest {
  readonly share: 'live' | 'crawl'
  readonly ratePerS: number
  readonly now: number
  /** Live requests granted in this minute and the 60 before it. */
  readonly liveLastHour: number
}

export function takeFrom(
  row: BudgetRow,
  request: TakeRequest,
): { readonly row: BudgetRow; readonly waitMs: number } {
  const { now } = request
  if (isPaused(row, now)) return { row, waitMs: Math.ceil(row.pausedUntil - now) }
  const liveAnHour = Math.max(1, Math.floor(LIVE_SHARE * request.ratePerS * 3600 + 1e-6))
  const isLiveSpent = request.liveLastHour >= liveAnHour
  if (request.share === 'live' && isLiveSpent) return { row, waitMs: MINUTE_MS - (now % MINUTE_MS) }

  const { burst, perMs } = bucketOf(request.ratePerS * paceAt(row, now))
  // A clock that was set back must not stop the crawler until it has caught up.
  const elapsedMs = now < row.updatedAt ? 0 : now - row.updatedAt
  const tokens = Math.min(burst, row.tokens + elapsedMs * perMs)
  const isGranted = tokens >= 1 - 1e-9
  const next = { ...row, tokens: isGranted ? Math.max(0, tokens - 1) : tokens, updatedAt: now }
  return { row: next, waitMs: isGranted ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs)) }
}

/** A pause of more than a day nobody asks for: a clock that was wrong has set its end. */
export function isPaused(row: Pick<BudgetRow, 'pausedUntil'>, now: number): boolean {
  return now < row.pausedUntil && row.pausedUntil - now <= MAX_PAUSE_MS
}

/** Complaints that arrive during a pause are about requests sent before it: they lengthen it but halve nothing. */
export function slowDown(row: BudgetRow, now: number, until: number): BudgetRow {
  const wasPaused = isPaused(row, now)
  const pausedUntil = Math.max(wasPaused ? row.pausedUntil : 0, until, now)
  return {
    tokens: 0,
    updatedAt: pausedUntil,
    pace: wasPaused ? row.pace : Math.max(SLOWEST_PACE, paceAt(row, now) / 2),
    paceAt: pausedUntil,
    pausedUntil,
  }
}

export function paceAt(row: BudgetRow, now: number): number {
  if (row.paceAt - now > MAX_PAUSE_MS) return 1
  const cleanMinutes = Math.max(0, now - row.paceAt) / MINUTE_MS
  return Math.min(1, row.pace + RECOVERY_PER_MINUTE * cleanMinutes)
}

/** The first minute of the hour the live share is averaged over, one more than an hour so that it is never short. */
export function firstMinute(now: number): number {
  return Math.floor(now / MINUTE_MS) - HOUR_MINUTES
}

/** A full bucket and a minute's refill together are the rate × 60 that a minute may have; slow rates get a smaller bucket. */
function bucketOf(ratePerS: number): { readonly burst: number; readonly perMs: number } {
  const perMinute = ratePerS * 60
  const burst = Math.max(1, Math.min(BURST, perMinute / 20))
  return { burst, perMs: Math.max(perMinute - burst, perMinute / 2) / MINUTE_MS }
}
