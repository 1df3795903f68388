import { type Clock, systemClock } from '../model/clock.ts'

/** A clock that moves only when told to; sleepers wake as it passes their time. */
export interface ManualClock extends Clock {
  /** Moves time on and lets everything run that waited for it. */
  advance(ms: number): Promise<void>
  /** Sets what the clock shows, as when a wrong clock is corrected; no time elapses. */
  set(at: number): void
  /** The number of sleepers. */
  readonly waiting: number
}

interface Sleeper {
  /** In elapsed time, whatever the clock is set to. */
  readonly wakeAfter: number
  wake(): void
}

export function createManualClock(startAt: number): ManualClock {
  let elapsed = 0
  let startedAt = startAt
  const sleepers = new Set<Sleeper>()
  return {
    now: () => startedAt + elapsed,
    elapsed: () => elapsed,
    set(at) {
      startedAt = at - elapsed
    },
    get waiting() {
      return sleepers.size
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason as Error)
          return
        }
        const onAbort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason as Error)
        }
        const sleeper: Sleeper = {
          wakeAfter: elapsed + ms,
          wake() {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
    async advance(ms) {
      const target = elapsed + ms
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.wakeAfter - b.wakeAfter)[0]
        if (!next || next.wakeAfter > target) break
        elapsed = Math.max(elapsed, next.wakeAfter)
        next.wake()
        // Those that woke may sleep again until before the target, so they run first.
        await new Promise((resolve) => setImmediate(resolve))
      }
      elapsed = target
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A clock that stands still until `pass` is called; sleepers wake at once. */
export function createStillClock(at: number): Clock & { pass(ms: number): void } {
  let now = at
  return {
    now: () => now,
    elapsed: () => now,
    sleep: () => Promise.resolve(),
    pass(ms) {
      now += ms
    },
  }
}

/** A clock that starts `behindMs` behind the wall clock, runs `speed` times as fast until it has caught up, then follows it. */
export function createLateClock(
  { behindMs, speed }: { behindMs: number; speed: number },
  wall: Pick<Clock, 'now'> = systemClock,
): Pick<Clock, 'now'> {
  const origin = wall.now()
  return {
    now() {
      const now = wall.now()
      return Math.min(now, Math.floor(origin - behindMs + (now - origin) * speed))
    },
  }
}
