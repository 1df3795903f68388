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
