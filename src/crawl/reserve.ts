/**
 * Requests beyond regular visits: gaps, re-reads, backfills, discovery. They may take a share of the rate, saved up
 * for an hour at most, and as many as they like while nothing is due. A minute's share is kept for gaps: they are posts
 * nobody has, and would else have to wait for their turn among backfills that take all there is.
 */
import type { Clock } from '../model/clock.ts'
import type { Purpose } from '../telegram/source.ts'
import { HOUR, MINUTE, RESERVE } from './policy.ts'

export interface Reserve {
  /** Takes one request; false when the share is used up. */
  take(purpose: Purpose, isIdle: boolean): boolean
  /** Requests taken within about the last hour. */
  usedLately(): number
}

export function createReserve(ratePerS: number, clock: Pick<Clock, 'elapsed'>): Reserve {
  const perMs = (RESERVE * ratePerS) / 1000
  const keptForGaps = perMs * MINUTE
  let credits = keptForGaps
  let used = 0
  let since = clock.elapsed()
  const pass = () => {
    const elapsed = clock.elapsed()
    credits = Math.min(credits + perMs * (elapsed - since), perMs * HOUR)
    used *= Math.exp(-(elapsed - since) / HOUR)
    since = elapsed
  }
  return {
    take(purpose, isIdle) {
      pass()
      const kept = purpose === 'gap' ? 0 : keptForGaps
      if (!isIdle && credits < kept + 1) return false
      if (!isIdle) credits--
      used++
      return true
    },
    usedLately() {
      pass()
      return used
    },
  }
}
