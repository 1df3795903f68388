/**
 * Requests beyond regular visits: gaps, re-reads, backfills, discovery. They may take a share of the rate, saved up
 * for an hour at most, and as many as they like while nothing is due. A minute's share is kept for gaps: they are posts
 * nobody has, and would else have to wait for their turn among backfills that take all there is.
 */
import type { Purpose } from '../telegram/source.ts'
import { HOUR, MINUTE, RESERVE } from './policy.ts'

export interface Reserve {
  /** Takes one request; false when the share is used up. */
  take(purpose: Purpose, now: number, isIdle: boolean): boolean
  /** Requests taken within about the last hour. */
  usedLately(now: number): number
}

export function createReserve(ratePerS: number, startedAt: number): Reserve {
  const perMs = (RESERVE * ratePerS) / 1000
  const keptForGaps = perMs * MINUTE
  let credits = keptForGaps
  let used = 0
  let at = startedAt
  const pass = (now: number) => {
    credits = Math.min(credits + perMs * (now - at), perMs * HOUR)
    used *= Math.exp(-(now - at) / HOUR)
    at = now
  }
  return {
    take(purpose, now, isIdle) {
      pass(now)
      const kept = purpose === 'gap' ? 0 : keptForGaps
      if (!isIdle && credits < kept + 1) return false
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
