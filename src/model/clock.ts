/** Time as a dependency, so that tests own it. All instants are epoch milliseconds. */
export interface Clock {
  now(): number
  /**
   * Monotonic milliseconds since an arbitrary moment, unaffected when somebody sets the clock: for ages and timeouts that
   * live in memory. Means nothing to another process.
   */
  elapsed(): number
  /** Resolves after `ms`, rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error)
        return
      }
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  },
}

/** Resolves after `ms`, or as soon as the signal is aborted; unlike `sleep`, does not reject then. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
