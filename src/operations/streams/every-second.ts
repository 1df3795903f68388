const TICK_MS = 1_000

/** Does `work` every second, but for those in which it is still at it. It must not throw. */
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
