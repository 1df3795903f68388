import { createSharedFlight } from '../model/shared-flight.ts'
import type { LivePages } from './live-pages.ts'

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
