/**
 * The one budget of requests to the platform, shared by all processes and kept across restarts: a token bucket with
 * a burst of 3. The refill of a minute is rate × 60 less that burst, so that any second has at most rate + 3 requests and
 * any minute at most rate × 60. It halves its pace when the platform complains and recovers slowly. Its clock is the store's.
 */
export interface Budget {
  /**
   * Asks for one request. With `isTaken` it is granted for the moment `waitMs` from now, 0 meaning at once. Without, that
   * moment is too far off and nothing was taken: ask again after `waitMs`. Live reads may use at most a fifth of the budget,
   * averaged over an hour; beyond that they are told to wait.
   */
  take(request: { readonly share: 'live' | 'crawl'; readonly ratePerS: number }): Promise<Slot>
  /**
   * Asks whether a request beyond regular visits may be made; if so, it still has to be taken with `take`. Such requests have
   * a share of the rate, saved up for an hour at most, and a minute's worth of it is kept for gaps, whose posts are not
   * archived at all. With `isIdle` nothing is due, and they are not limited.
   */
  takeReserve(request: {
    readonly isForGap: boolean
    readonly isIdle: boolean
    readonly ratePerS: number
  }): Promise<boolean>
  /** The platform complained: halves the pace, and grants nothing at all for `pauseMs`. */
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
  /** Requests taken from the reserve in about the last hour. */
  readonly lastHourReserve: number
}

export const BURST = 3
/** Share of the budget, averaged over an hour. */
export const LIVE_SHARE = 0.2
/** Share of the rate for requests beyond regular visits. */
export const RESERVE_SHARE = 0.15
