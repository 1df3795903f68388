import type { Clock } from '../model/clock.ts'

/**
 * One timer for all deadlines: they are seconds long and hardly ever met, so half a second more or less does not matter,
 * and a timer for each request would cost more than the rest of its bookkeeping.
 */
export interface Deadlines {
  /** Calls back once this long has passed, unless the function given back was called before. */
  start(ms: number, onLate: () => void): () => void
}

const TICK_MS = 500

export function createDeadlines(clock: Clock): Deadlines {
  const running = new Set<{ readonly at: number; readonly onLate: () => void }>()
  let isTicking = false

  async function tick(): Promise<void> {
    while (running.size > 0) {
      await clock.sleep(TICK_MS)
      const now = clock.now()
      for (const entry of running) {
        if (now < entry.at) continue
        running.delete(entry)
        entry.onLate()
      }
    }
    isTicking = false
  }

  return {
    start(ms, onLate) {
      const entry = { at: clock.now() + ms, onLate }
      running.add(entry)
      if (!isTicking) {
        isTicking = true
        void tick()
      }
      return () => void running.delete(entry)
    },
  }
}
