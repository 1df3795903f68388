import { abortable } from './abortable.ts'

/**
 * Single flight: concurrent requests for the same key share one piece of work. A caller that gives up does not disturb
 * the others; the work itself is aborted only when nobody waits for it any more.
 */
interface SharedFlight<T> {
  /** Joins the work under way for the key, or starts it. Rejects with the signal's reason when aborted. */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function createSharedFlight<T>(): SharedFlight<T> {
  const flights = new Map<string, { readonly result: Promise<T>; waiting: number; stop(): void }>()
  return {
    async join(key, signal, work) {
      signal.throwIfAborted()
      let flight = flights.get(key)
      if (!flight) {
        const abort = new AbortController()
        const result = work(abort.signal)
        const started = { result, waiting: 0, stop: () => abort.abort(new Error('nobody waits')) }
        flight = started
        flights.set(key, started)
        const end = () => {
          if (flights.get(key) === started) flights.delete(key)
        }
        result.then(end, end)
      }
      flight.waiting++
      try {
        return await abortable(flight.result, signal)
      } finally {
        if (--flight.waiting === 0 && flights.get(key) === flight) {
          flights.delete(key)
          flight.stop()
        }
      }
    },
  }
}
