/**
 * The one request budget towards the platform, shared by all processes and kept across restarts: a token bucket with
 * a burst of 3 whose refill leaves room for it, so that any second has at most rate + 3 requests and any minute at
 * most rate × 60. Backs off by half when the platform complains and recovers slowly.
 */
export interface Budget {
  /**
   * Asks for one request. `waitMs` 0: go. Otherwise nothing was taken: ask again after that long. Live reads may use
   * at most a fifth of the budget averaged over an hour; beyond it they are told to wait like everybody else.
   */
  take(request: {
    readonly share: 'live' | 'crawl'
    readonly ratePerS: number
    readonly now: number
  }): Promise<{ readonly waitMs: number }>
  /** The platform complained: half the pace, and nothing at all before `until`. */
  backOff(now: number, until: number): Promise<void>
  state(now: number, ratePerS: number): Promise<BudgetState>
}

export interface BudgetState {
  /** The pace now, at most the configured one. */
  readonly ratePerS: number
  readonly pausedUntil: number | null
  /** Requests granted in the last hour, all and live. */
  readonly lastHour: number
  readonly lastHourLive: number
}

export const BURST = 3
/** Of the budget, averaged over an hour. */
export const LIVE_SHARE = 0.2
