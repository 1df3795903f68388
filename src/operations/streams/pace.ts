import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../model/clock.ts'

/** So long at a time the event loop is kept from everybody else: a search passes through it some three times. */
const BUSY_MS = 1
/** Then it is theirs for as long. */
const REST_MS = 1

/** Awaited between any two of thousands of pieces of work, it lets requests go on. */
export function createPace(clock: Pick<Clock, 'elapsed'>): () => Promise<void> {
  let busySince = clock.elapsed()
  return async () => {
    if (clock.elapsed() - busySince < BUSY_MS) return
    await sleep(REST_MS)
    busySince = clock.elapsed()
  }
}
