import { abortable } from './abortable.ts'

/** A semaphore: `atOnce` callers work at a time, the others wait in a queue, first come first served. */
interface Semaphore {
  readonly waiting: number
  /** Rejects with the signal's reason, and leaves the queue, when aborted before its turn. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSemaphore(atOnce: number): Semaphore {
  const queue = new Set<() => void>()
  let working = 0

  function passOn(): void {
    const [next] = queue
    if (!next) {
      working--
      return
    }
    queue.delete(next)
    next()
  }

  async function wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.add(resolve)
    try {
      await abortable(promise, signal)
    } catch (error) {
      // Not in the queue any more: its turn came at the moment of the abort, so pass it on.
      if (!queue.delete(resolve)) passOn()
      throw error
    }
  }

  return {
    get waiting() {
      return queue.size
    },
    async run(work, signal) {
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
