import { createSharedFlight } from '../model/shared-flight.ts'

/** Pages read at a caller's request. Concurrent requests for the same page, in any process, share one fetch. */
export interface LivePages {
  /**
   * Joins the fetch of `key` that is under way, or starts one. A page that another process fetched within `maxAgeMs` may be
   * returned instead. Values are plain data. Rejects with the signal's reason, or as the fetch does.
   */
  fetch<T>(
    key: string,
    options: { readonly maxAgeMs: number; readonly signal: AbortSignal },
    fetch: (signal: AbortSignal) => Promise<T>,
  ): Promise<LivePage<T>>
}

export interface LivePage<T> {
  readonly value: T
  /** How long ago it was fetched. */
  readonly ageMs: number
}

/** For stores with few processes: fetches are shared only within each process. */
export function createProcessLivePages(): LivePages {
  const flights = createSharedFlight<unknown>()
  return {
    async fetch<T>(
      key: string,
      { signal }: { readonly signal: AbortSignal },
      fetch: (signal: AbortSignal) => Promise<T>,
    ) {
      const value = (await flights.join(key, signal, fetch)) as T
      return { value, ageMs: 0 }
    },
  }
}
