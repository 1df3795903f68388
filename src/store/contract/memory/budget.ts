import type { Clock } from '../../../model/clock.ts'
import { MINUTE_MS } from '../../../model/time.ts'
import type { Budget } from '../../budget.ts'
import {
  FULL_BUDGET,
  firstMinute,
  slowDown,
  stateOf,
  takeFrom,
  takeFromReserve,
  type ReserveRow,
} from '../../budget-rules.ts'

export function createBudget(clock: Clock): Budget {
  let row = FULL_BUDGET
  let reserve: ReserveRow | undefined
  let grants: { readonly minute: number; readonly isLive: boolean }[] = []
  const lastHour = (now: number) => grants.filter(({ minute }) => minute >= firstMinute(now))
  return {
    async take({ share, ratePerS }) {
      const now = clock.now()
      const liveLastHour = lastHour(now).filter((grant) => grant.isLive).length
      const { isTaken, waitMs, ...taken } = takeFrom(row, { share, ratePerS, now, liveLastHour })
      row = taken.row
      if (isTaken) {
        const minute = Math.floor((now + waitMs) / MINUTE_MS)
        grants = [...lastHour(now), { minute, isLive: share === 'live' }]
      }
      return { isTaken, waitMs }
    },
    async takeReserve(request) {
      const taken = takeFromReserve(reserve, { ...request, now: clock.now() })
      reserve = taken.row
      return taken.isTaken
    },
    async backOff(pauseMs) {
      row = slowDown(row, clock.now(), clock.now() + pauseMs)
    },
    async state(ratePerS) {
      const now = clock.now()
      const granted = lastHour(now)
      const live = granted.filter((grant) => grant.isLive).length
      return stateOf({ now, granted: granted.length, live, budget: row, reserve }, ratePerS)
    },
  }
}
