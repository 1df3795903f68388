import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'

/**
 * One loop for all deadlines. They are seconds long and hardly ever reached, so half a second more or less does not matter;
 * a separate sleep of the clock for each, cancelled by a signal, would cost ten times as much.
 */
export interface Deadlines {
  /** Calls `onLate` after `ms`, unless the returned function is called first. */
  start(ms: number, onLate: () => void): () => void
  /** Runs work under a deadline. Late work is aborted, and the promise rejects even if the work does not notice the abort. */
  hold<T>(kind: 'live' | 'other', abort: AbortController, work: () => Promise<T>): Promise<T>
}

/** The error for late work, and the reason its signal is aborted with. */
export const TOO_LATE = new AppError(
  'unavailable',
  'the answer took longer than the service allows',
  { retryAfterS: 1 },
)

const TICK_MS = 500
const DEADLINE_MS = {
  other: 10_000,
  /** A live read waits for several pages of the platform. */
  live: 30_000,
}

/** Whether an address, of the API or a page, reads a channel live. A channel may itself be called `live`. */
export function isLiveRead(url: string): boolean {
  return /^[^?#]*\/channels\/[^/?#]+\/live\/?(?:\?|$)/.test(url)
}

export function createDeadlines(clock: Clock): Deadlines {
  const running = new Set<{ readonly lateSince: number; readonly onLate: () => void }>()
  let isTicking = false

  async function tick(): Promise<void> {
    while (running.size > 0) {
      await clock.sleep(TICK_MS)
      const elapsed = clock.elapsed()
      for (const entry of running) {
        if (elapsed < entry.lateSince) continue
        running.delete(entry)
        entry.onLate()
      }
    }
    isTicking = false
  }

  function start(ms: number, onLate: () => void): () => void {
    const entry = { lateSince: clock.elapsed() + ms, onLate }
    running.add(entry)
    if (!isTicking) {
      isTicking = true
      void tick()
    }
    return () => void running.delete(entry)
  }

  return {
    start,
    async hold(kind, abort, work) {
      const late = Promise.withResolvers<never>()
      const end = start(DEADLINE_MS[kind], () => {
        // Before the abort, so that this is the answer and not whatever the work throws when aborted.
        late.reject(TOO_LATE)
        abort.abort(TOO_LATE)
      })
      try {
        return await Promise.race([work(), late.promise])
      } finally {
        end()
      }
    },
  }
}
