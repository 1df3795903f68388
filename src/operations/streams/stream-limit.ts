import type { Caller } from '../../access/caller.ts'
import { AppError } from '../../model/errors.ts'

/** Per process. */
const MAX_STREAMS = 10_000

/** How many streams are open, in total and per caller. */
interface StreamLimit {
  readonly open: number
  openBy(caller: Caller): number
  /** Throws `quota_exceeded` when the caller has its maximum open, `overloaded` when the process has. */
  check(caller: Caller): void
  /** The returned function frees the slot; calling it again does nothing. */
  acquire(caller: Caller): () => void
}

export function createStreamLimit(): StreamLimit {
  const byCaller = new Map<string, number>()
  let open = 0
  const openBy = ({ id }: Caller) => byCaller.get(id) ?? 0

  return {
    get open() {
      return open
    },
    openBy,
    check(caller) {
      const { tier } = caller
      if (openBy(caller) >= (tier.streams ?? Infinity)) {
        throw new AppError(
          'quota_exceeded',
          `expected at most ${tier.streams} streams open at a time, close one first`,
          { retryAfterS: 15, extra: { 'violated-policies': ['streams'] } },
        )
      }
      if (open >= MAX_STREAMS) {
        throw new AppError('overloaded', 'too many streams are open, ask again in a moment', {
          retryAfterS: 15,
        })
      }
    },
    acquire(caller) {
      open++
      byCaller.set(caller.id, openBy(caller) + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        open--
        const left = openBy(caller) - 1
        if (left > 0) byCaller.set(caller.id, left)
        else byCaller.delete(caller.id)
      }
    },
  }
}
