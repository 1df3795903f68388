import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import type { SearchQuery, SearchResult } from '../model/query.ts'
import { createSharedFlight } from '../model/shared-flight.ts'
import type { SearchIndex } from './search-index.ts'

/** How long an answer is shared with others who ask the same: well below the second within which a change must show. */
const SHARED_MS = 200
const MAX_SHARED = 256

/** An index that searches once for identical queries at nearly the same time: agents poll, and pages are reloaded. */
export function shareAnswers(index: SearchIndex, clock: Clock): SearchIndex {
  const flights = createSharedFlight<SearchResult>()
  const maxAge = { ms: SHARED_MS, clock }
  const answers = createCache<string, SearchResult>({ maxEntries: MAX_SHARED, maxAge })

  return {
    capacity: index.capacity,
    async search(query, signal = new AbortController().signal) {
      const key = keyOf(query)
      const known = answers.get(key)
      if (known) return known
      return flights.join(key, signal, async (stop) => {
        const result = await index.search(query, stop)
        answers.set(key, result)
        return result
      })
    },
    duplicates: (ref, limit) => index.duplicates(ref, limit),
    state: () => index.state(),
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

/** Relative times move every millisecond, but searches use whole seconds. */
function keyOf({ root, since, until, arrivedSince, ...others }: SearchQuery): string {
  const seconds = (instant: number) => Math.ceil(instant / 1000)
  const times = [since, until].map(seconds)
  // Rounded down, as searches do.
  const arrivedS = arrivedSince === null ? null : Math.floor(arrivedSince / 1000)
  return JSON.stringify([others, times, arrivedS, root], (name, value: unknown) =>
    name === 'at' && typeof value === 'number' ? seconds(value) : value,
  )
}
