/** Adapts the price of a visit to the number of channels and the available budget. */
import type { Clock } from '../model/clock.ts'
import { DAY_MS, DAY_S, HOUR_S, MINUTE_MS } from '../model/time.ts'
import { LIVE_SHARE, RESERVE_SHARE } from '../store/budget.ts'
import type { Store } from '../store/store.ts'
import { POLICY, raisePrice, solvePricing, type Pricing } from './policy.ts'

interface ShadowPrice {
  pricing(): Pricing
  /** Computes the price again when it is time. */
  refresh(): Promise<void>
}

/** The frontier's overview reads every schedule, so large stores are priced less often. */
const REFRESH_MS = 2 * MINUTE_MS
const LARGE_REFRESH_MS = 15 * MINUTE_MS
const LARGE = 20_000
const SAMPLE = 2_000

export function createShadowPrice(options: {
  readonly store: Store
  readonly clock: Clock
  readonly ratePerS: number
}): ShadowPrice {
  const { store, clock, ratePerS } = options
  let pricing: Pricing = { price: 0, maxIntervalMs: POLICY.maxIntervalMs }
  let dueSince = -Infinity
  let pricedSince = clock.elapsed()
  let usualPerDay: number | undefined
  return {
    pricing: () => pricing,
    async refresh() {
      const now = clock.now()
      const elapsed = clock.elapsed()
      if (elapsed < dueSince) return
      dueSince = elapsed + REFRESH_MS
      const [sample, budget, overview] = await Promise.all([
        store.frontier.sample(SAMPLE),
        store.budget.state(ratePerS),
        store.frontier.overview(now),
      ])
      if (sample.total > LARGE) dueSince = elapsed + LARGE_REFRESH_MS
      // Live reads and the reserve are assumed to take as much as in the last hour; the rest is for visits.
      const taken = (budget.lastHourLive + budget.lastHourReserve) / (ratePerS * HOUR_S)
      const share = 1 - Math.min(taken, LIVE_SHARE + RESERVE_SHARE)
      const perDay = budget.ratePerS * share * DAY_S
      const lagMs = overview.oldestDueAt === null ? 0 : Math.max(0, now - overview.oldestDueAt)
      usualPerDay = nearer(usualPerDay ?? perDay, perDay, elapsed - pricedSince)
      pricedSince = elapsed
      const both = { requestsPerDay: perDay, usualPerDay }
      const solved = solvePricing(sample.schedules, sample.total, both)
      pricing = raisePrice(solved, lagMs, (sample.total / perDay) * DAY_MS)
    },
  }
}

/** Moves the usual budget towards the current one, within about a day. */
function nearer(usual: number, now: number, elapsedMs: number): number {
  return now + (usual - now) * Math.exp(-elapsedMs / DAY_MS)
}
