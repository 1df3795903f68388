import { HOUR_S, MINUTE_MS } from '../model/time.ts'
import {
  BURST,
  LIVE_SHARE,
  RESERVE_SHARE,
  type Budget,
  type BudgetState,
  type Slot,
} from './budget.ts'

/**
 * The arithmetic of the request budget, on states that fit one row each. A function that returns the same row object
 * changed nothing, so that the row need not be written.
 */
export interface BudgetRow {
  /** Negative when requests are granted for a future moment. */
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

const MAX_PAUSE_MS = 25 * 60 * MINUTE_MS
const HOUR_MINUTES = 60
const RECOVERY_PER_MINUTE = 0.05
const SLOWEST_PACE = 1 / 32
/** How far ahead a request is granted. Requests granted before a pause begins are still sent, so this is short. */
const AHEAD_MS = 2_000

type TakeRequest = Parameters<Budget['take']>[0] & {
  readonly now: number
  /** Live requests granted in this minute and the 60 before it. */
  readonly liveLastHour: number
}

export function takeFrom(row: BudgetRow, request: TakeRequest): { readonly row: BudgetRow } & Slot {
  const { now } = request
  const later = (waitMs: number) => ({ row, isTaken: false, waitMs })
  if (isPaused(row, now)) return later(Math.ceil(row.pausedUntil - now))
  const liveAnHour = Math.max(1, Math.floor(LIVE_SHARE * request.ratePerS * HOUR_S + 1e-6))
  const isLiveSpent = request.liveLastHour >= liveAnHour
  if (request.share === 'live' && isLiveSpent) return later(MINUTE_MS - (now % MINUTE_MS))

  const { burst, perMs } = bucketOf(request.ratePerS * paceAt(row, now))
  // When the clock is set back, the crawler must not stop until it has caught up.
  const elapsedMs = now < row.updatedAt ? 0 : now - row.updatedAt
  const tokens = Math.min(burst, row.tokens + elapsedMs * perMs)
  const waitMs = tokens >= 1 - 1e-9 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs))
  if (waitMs > AHEAD_MS) {
    const isSetBack = now < row.updatedAt
    return { ...later(waitMs), ...(isSetBack ? { row: { ...row, tokens, updatedAt: now } } : {}) }
  }
  return { row: { ...row, tokens: tokens - 1, updatedAt: now }, isTaken: true, waitMs }
}

/** The reserve for requests beyond regular visits. */
export interface ReserveRow {
  readonly credits: number
  /** Recent requests, decayed exponentially: a request made an hour ago counts about a third. */
  readonly used: number
  readonly updatedAt: number
}

export function takeFromReserve(
  row: ReserveRow | undefined,
  request: Parameters<Budget['takeReserve']>[0] & { readonly now: number },
): { readonly row: ReserveRow; readonly isTaken: boolean } {
  const perMs = (RESERVE_SHARE * request.ratePerS) / 1000
  const keptForGaps = perMs * MINUTE_MS
  const { now } = request
  const { credits, used } = reserveAt(
    row ?? { credits: keptForGaps, used: 0, updatedAt: now },
    now,
    perMs,
  )
  const least = 1 + (request.isForGap ? 0 : keptForGaps)
  if (request.isIdle) return { row: { credits, used: used + 1, updatedAt: now }, isTaken: true }
  if (credits >= least) {
    return { row: { credits: credits - 1, used: used + 1, updatedAt: now }, isTaken: true }
  }
  const isSame = row !== undefined && row.updatedAt <= now
  return { row: isSame ? row : { credits, used, updatedAt: now }, isTaken: false }
}

/** A clock that was set back neither adds credits nor decays `used`. */
function reserveAt(row: ReserveRow, now: number, perMs: number): ReserveRow {
  const elapsedMs = Math.max(0, now - row.updatedAt)
  return {
    credits: Math.min(row.credits + perMs * elapsedMs, perMs * HOUR_MINUTES * MINUTE_MS),
    used: row.used * Math.exp(-elapsedMs / (HOUR_MINUTES * MINUTE_MS)),
    updatedAt: now,
  }
}

/** Everything stored about the budget, as of `now`. */
export interface KeptBudget {
  readonly now: number
  /** Requests granted within the last hour, and how many of them were live reads. */
  readonly granted: number
  readonly live: number
  readonly budget: BudgetRow
  readonly reserve: ReserveRow | undefined
}

export function stateOf(kept: KeptBudget, ratePerS: number): BudgetState {
  const { now, budget, reserve } = kept
  return {
    ratePerS: ratePerS * paceAt(budget, now),
    pausedUntil: isPaused(budget, now) ? budget.pausedUntil : null,
    lastHour: kept.granted,
    lastHourLive: kept.live,
    lastHourReserve: reserve === undefined ? 0 : reserveAt(reserve, now, 0).used,
  }
}

/** Nobody asks for a pause of more than a day: a longer one was set by a clock that was wrong. */
function isPaused(row: Pick<BudgetRow, 'pausedUntil'>, now: number): boolean {
  return now < row.pausedUntil && row.pausedUntil - now <= MAX_PAUSE_MS
}

/** Complaints during a pause are about requests sent before it: they prolong it but do not halve the pace again. */
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

function paceAt(row: BudgetRow, now: number): number {
  if (row.paceAt - now > MAX_PAUSE_MS) return 1
  const cleanMinutes = Math.max(0, now - row.paceAt) / MINUTE_MS
  return Math.min(1, row.pace + RECOVERY_PER_MINUTE * cleanMinutes)
}

/** The first minute of the window over which the live share is averaged: the current minute and the 60 before it. */
export function firstMinute(now: number): number {
  return Math.floor(now / MINUTE_MS) - HOUR_MINUTES
}

/** A full bucket plus a minute's refill equals rate × 60, the most that a minute may have; slow rates get a smaller bucket. */
function bucketOf(ratePerS: number): { readonly burst: number; readonly perMs: number } {
  const perMinute = ratePerS * 60
  const burst = Math.max(1, Math.min(BURST, perMinute / 20))
  return { burst, perMs: Math.max(perMinute - burst, perMinute / 2) / MINUTE_MS }
}
