import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'

/**
 * One loop for all deadlines: they are seconds long and hardly ever met, so half a second more or less does not matter. A sleep
 * of the clock for each, ended by a signal, would cost ten times as much.
 */
export interface Deadlines {
  /** Calls back once this long has passed, unless the function given back was called before. */
  start(ms: number, onLate: () => void): () => void
  /** Work that is answered in time: once it is late it is aborted, and fails also where it does not notice that. */
  hold<T>(kind: 'live' | 'other', abort: AbortController, work: () => Promise<T>): Promise<T>
}

/** What late work is answered with, and why its signal was aborted. */
export const TOO_LATE = new AppError(
  'unavailable',
  'the answer took longer than the service allows',
  { retryAfterS: 1 },
)

const TICK_MS = 500
const DEADLINE_MS = {
  other: 10_000,
  /** A live read waits for the platform, page after page. */
  live: 30_000,
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
        // First, so that this is the answer and not what the work makes of the abort.
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
