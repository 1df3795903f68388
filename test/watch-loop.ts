/**
 * How long the event loop is blocked at a time, in milliseconds of this thread's processor time, so that other load does not
 * count.
 */
export interface LoopWatch {
  /** The longest turn since the last call. */
  take(): number
  stop(): void
}

export function watchLoop(): LoopWatch {
  let worst = 0
  let isRunning = true
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    worst = Math.max(worst, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const watch = () => {
    look()
    if (isRunning) setImmediate(watch)
  }
  setImmediate(watch)
  return {
    take() {
      look()
      const taken = worst
      worst = 0
      return taken
    },
    stop: () => void (isRunning = false),
  }
}

/** The longest time for which the work blocks the event loop. */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  const watch = watchLoop()
  await work()
  watch.stop()
  return watch.take()
}
