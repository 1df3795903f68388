import type { Caller } from '../../access/caller.ts'
import { AppError } from '../../model/errors.ts'

/** Per process. */
export const MAX_STREAMS = 10_000

/** How many streams are open, in total and per caller. */
interface Seats {
  readonly taken: number
  takenBy(caller: Caller): number
  /** Throws `quota_exceeded` when the caller has its maximum open, `overloaded` when the process has. */
  check(caller: Caller): void
  /** The returned function frees the seat; calling it again does nothing. */
  take(caller: Caller): () => void
}

export function createSeats(): Seats {
  const byCaller = new Map<string, number>()
  let taken = 0
  const takenBy = ({ id }: Caller) => byCaller.get(id) ?? 0

  return {
    get taken() {
      return taken
    },
    takenBy,
    check(caller) {
      const { tier } = caller
      if (takenBy(caller) >= (tier.streams ?? Infinity)) {
        throw new AppError(
          'quota_exceeded',
          `expected at most ${tier.streams} streams open at a time, close one first`,
          { retryAfterS: 15, extra: { 'violated-policies': ['streams'] } },
        )
      }
      if (taken >= MAX_STREAMS) {
        throw new AppError('overloaded', 'too many streams are open, ask again in a moment', {
          retryAfterS: 15,
        })
      }
    },
    take(caller) {
      taken++
      byCaller.set(caller.id, takenBy(caller) + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        taken--
        const left = takenBy(caller) - 1
        if (left > 0) byCaller.set(caller.id, left)
        else byCaller.delete(caller.id)
      }
    },
  }
}
