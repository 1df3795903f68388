import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../model/clock.ts'

const TICK_MS = 1_000

/** Runs `work` every second, skipping seconds in which it is still running. It must not throw. */
export function everySecond(work: () => Promise<void>): Disposable {
  let isWorking = false
  const timer = setInterval(() => {
    if (isWorking) return
    isWorking = true
    void work().finally(() => (isWorking = false))
  }, TICK_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** How long the event loop may be kept busy at a time; a search passes through it about three times. */
const BUSY_MS = 1
/** How long other work then has it. */
const REST_MS = 1

/** Awaited between any two of thousands of small pieces of work, so that requests get their turn. */
export function createPace(clock: Pick<Clock, 'elapsed'>): () => Promise<void> {
  let busySince = clock.elapsed()
  return async () => {
    if (clock.elapsed() - busySince < BUSY_MS) return
    await sleep(REST_MS)
    busySince = clock.elapsed()
  }
}
