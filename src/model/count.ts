/** A number as the platform shows it: "1.2K" is 1200, give or take the rounding. */
export interface Count {
  readonly value: number
  readonly approx: boolean
  readonly raw: string
  /** When it was read, epoch milliseconds. */
  readonly asOf: number
}

/** No counter of the platform comes near this, and the sum of a hundred of them is still a safe integer. */
export const MAX_COUNT = 1_000_000_000_000
