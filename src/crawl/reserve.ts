/**
 * Requests beyond regular visits: gaps, re-reads, backfills, discovery. They may take a share of the rate, saved up
 * for an hour at most, and as many as they like while nothing is due.
 */
import { HOUR, MINUTE, RESERVE } from './policy.ts'

export interface Reserve {
  /** Takes one request; false when the share is used up. */
  take(now: number, isIdle: boolean): boolean
  /** Requests taken within about the last hour. */
  usedLately(now: number): number
}

export function createReserve(ratePerS: number, startedAt: number): Reserve {
  const perMs = (RESERVE * ratePerS) / 1000
  let credits = perMs * MINUTE
  let used = 0
  let at = startedAt
  const pass = (now: number) => {
    credits = Math.min(credits + perMs * (now - at), perMs * HOUR)
    used *= Math.exp(-(now - at) / HOUR)
    at = now
  }
  return {
    take(now, isIdle) {
      pass(now)
      if (!isIdle && credits < 1) return false
      if (!isIdle) credits--
      used++
      return true
    },
    usedLately(now) {
      pass(now)
      return used
    },
  }
}
