import { createSharedFlight } from '../model/shared-flight.ts'

/** Pages read on a caller's wish: all who ask for the same at once, in any process, cause one fetch. */
export interface LivePages {
  /**
   * Joins the fetch of `key` that is under way, or begins it. A page that another process has fetched within `maxAgeMs` may be
   * given instead. Values are plain data. Rejects with the signal's reason, or as the fetch does.
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

/** For stores whose processes are few: those of each share its fetches. */
export function createLivePages(): LivePages {
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
