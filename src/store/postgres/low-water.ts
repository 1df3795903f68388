import { systemClock } from '../../model/clock.ts'

/** Long enough for any transaction that was given a lower `seq` to have committed or given up. */
const SETTLED_MS = 30_000
/** How often the whole queue is read: another process's claim may have run out below the mark. */
const WHOLE_MS = 60_000

interface Seen {
  readonly seq: number
  readonly since: number
}

/**
 * Remembers from which `seq` on a queue has to be read. Finished changes are left as dead rows at its head for as long as
 * anybody reads an old snapshot, as a backup does: without a mark, each look at the queue would have to skip all of them.
 */
export interface LowWater {
  /** 0 means the whole queue, which may take long. */
  mark(queue: string): number
  /** Records the first `seq` that a look at the queue has found. */
  saw(queue: string, seq: number): void
  /** Drops the mark, because claimed changes were given back. */
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
