import { type Clock, systemClock } from '../model/clock.ts'

/** A clock that moves only when told; sleepers wake as it passes their time. */
export interface ManualClock extends Clock {
  /** Moves time on and lets everything that waited for it run. */
  advance(ms: number): Promise<void>
  /** How many sleepers wait. */
  readonly waiting: number
}

interface Sleeper {
  readonly wakeAt: number
  wake(): void
}

export function createManualClock(startAt: number): ManualClock {
  let now = startAt
  const sleepers = new Set<Sleeper>()
  return {
    now: () => now,
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
          wakeAt: now + ms,
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
      const target = now + ms
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.wakeAt - b.wakeAt)[0]
        if (!next || next.wakeAt > target) break
        now = Math.max(now, next.wakeAt)
        next.wake()
        // Whoever woke may sleep again before the target: let it run first.
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = target
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A clock that starts at `startAt` and runs `speed` times as fast as the wall's. */
export function createFastClock({ startAt, speed }: { startAt: number; speed: number }): Clock {
  const origin = systemClock.now()
  return {
    now: () => Math.floor(startAt + (systemClock.now() - origin) * speed),
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  }
}
