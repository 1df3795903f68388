import type { Clock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import type { Store } from '../store/store.ts'

export interface PictureLimits {
  /** Limits of one picture, of what is fetched in a UTC day, and of all that is kept. */
  readonly pictureBytes: number
  readonly dayBytes: number
  readonly bytes: number
}

/** Keeps the bytes stored and fetched per day below the limits: a picture is fetched only if the largest would still fit. */
export function createPictureBounds(
  { pictures }: Pick<Store, 'pictures'>,
  limits: PictureLimits,
  clock: Clock,
) {
  let kept = 0
  let day = NaN
  let read = 0
  const today = () => Math.floor(clock.now() / DAY_MS)
  return {
    /** Loads the sums that the store has counted. */
    async refresh(): Promise<void> {
      day = today()
      const totals = await pictures.totals(day)
      kept = totals.bytes
      read = totals.dayBytes
    },
    reached(): 'full' | 'day' | null {
      if (day !== today()) return 'day'
      if (kept + limits.pictureBytes > limits.bytes) return 'full'
      return read + limits.pictureBytes > limits.dayBytes ? 'day' : null
    },
    async spend(bytes: number): Promise<void> {
      if (bytes === 0) return
      read += bytes
      await pictures.spend(day, bytes)
    },
    add(bytes: number): void {
      kept += bytes
    },
  }
}
