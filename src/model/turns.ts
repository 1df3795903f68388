import { abortable } from './abortable.ts'

/** So many work at a time; the others wait in line, first come first served. */
interface Turns {
  readonly waiting: number
  /** Rejects with the signal's reason where it is aborted before the turn has come; whoever gives up leaves the line. */
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
      // Its turn may have come in that very moment.
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
