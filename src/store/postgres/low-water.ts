import { systemClock } from '../../model/clock.ts'

/** Long enough for whoever was given a lower number to have written it, or given up. */
const SETTLED_MS = 30_000
/** So often the whole queue is looked through: a claim of others may have run out below the mark. */
const WHOLE_MS = 60_000

interface Seen {
  readonly seq: number
  readonly since: number
}

/**
 * From where on a queue is looked through. What is done with leaves its head as dead rows, which stay for as long as anybody reads an
 * old snapshot, as a backup does: without a mark each look would pass by all of them.
 */
export interface LowWater {
  /** 0: all of it, which may take long. */
  mark(queue: string): number
  /** The first of the queue when it was last looked at. */
  saw(queue: string, seq: number): void
  /** What was taken is back. */
  forget(queue: string): void
}

export function createLowWater(elapsed: () => number = systemClock.elapsed): LowWater {
  const queues = new Map<string, { wholeSince: number; settled?: Seen; latest?: Seen }>()
  return {
    mark(queue) {
      const known = queues.get(queue)
      if (known && elapsed() - known.wholeSince < WHOLE_MS) return known.settled?.seq ?? 0
      queues.set(queue, { ...known, wholeSince: elapsed() })
      return 0
    },
    saw(queue, seq) {
      const known = queues.get(queue)
      if (!known) return
      const { latest } = known
      if (latest && elapsed() - latest.since < SETTLED_MS) {
        if (seq < latest.seq) known.latest = { seq, since: latest.since }
        return
      }
      if (latest) known.settled = latest
      known.latest = { seq, since: elapsed() }
    },
    forget: (queue) => void queues.delete(queue),
  }
}
