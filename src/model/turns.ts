import { abortable } from './abortable.ts'

/** A semaphore: `atOnce` callers work at a time, the others wait in a queue, first come first served. */
interface Turns {
  readonly waiting: number
  /** Rejects with the signal's reason, and leaves the queue, when aborted before its turn. */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createTurns(atOnce: number): Turns {
  const line = new Set<() => void>()
  let working = 0

  function passOn(): void {
    const [next] = line
    if (!next) {
      working--
      return
    }
    line.delete(next)
    next()
  }

  async function wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    line.add(resolve)
    try {
      await abortable(promise, signal)
    } catch (error) {
      // Not in the queue any more: its turn came at the moment of the abort, so pass it on.
      if (!line.delete(resolve)) passOn()
      throw error
    }
  }

  return {
    get waiting() {
      return line.size
    },
    async take(work, signal) {
      signal?.throwIfAborted()
      if (working < atOnce) working++
      else await wait(signal)
      try {
        return await work()
      } finally {
        passOn()
      }
    },
  }
}
