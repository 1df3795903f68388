/**
 * The one request budget towards the platform, shared by all processes and kept across restarts: a token bucket with
 * a burst of 3 whose refill leaves room for it, so that any second has at most rate + 3 requests and any minute at
 * most rate × 60. Backs off by half when the platform complains and recovers slowly. Its clock is the store's.
 */
export interface Budget {
  /**
   * Asks for one request. `isTaken`: it is granted for the moment `waitMs` from now, 0 being at once. Otherwise that moment is
   * too far off and nothing was taken: ask again after that long. Live reads may use at most a fifth of the budget
   * averaged over an hour; beyond it they are told to wait like everybody else.
   */
  take(request: { readonly share: 'live' | 'crawl'; readonly ratePerS: number }): Promise<Slot>
  /**
   * Asks whether a request beyond regular visits may be made, which then has to be taken like all others. They have a share of
   * the rate, saved up for an hour at most, of which a minute's is kept for gaps: posts nobody has. `isIdle`: nothing is
   * due, and they may have as many as they like.
   */
  takeReserve(request: {
    readonly isForGap: boolean
    readonly isIdle: boolean
    readonly ratePerS: number
  }): Promise<boolean>
  /** The platform complained: half the pace, and nothing at all for so long. */
  backOff(pauseMs: number): Promise<void>
  state(ratePerS: number): Promise<BudgetState>
}

export interface Slot {
  readonly isTaken: boolean
  readonly waitMs: number
}

export interface BudgetState {
  /** The pace now, at most the configured one. */
  readonly ratePerS: number
  readonly pausedUntil: number | null
  /** Requests granted in the last hour, all and live. */
  readonly lastHour: number
  readonly lastHourLive: number
  /** Requests of the reserve within about the last hour. */
  readonly lastHourReserve: number
}

export const BURST = 3
/** Of the budget, averaged over an hour. */
export const LIVE_SHARE = 0.2
/** Of the rate, for requests beyond regular visits. */
export const RESERVE_SHARE = 0.15
