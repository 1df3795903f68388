import type { Clock } from '../model/clock.ts'
import type { SearchQuery, SearchResult } from '../model/query.ts'
import type { SearchIndex } from './search-index.ts'

/** So long an answer serves others who ask the same. Short beside the second within which a change must be seen. */
const SHARED_MS = 200
const MAX_SHARED = 256

interface Shared {
  readonly askedAt: number
  readonly answer: Promise<SearchResult>
  readonly stop: AbortController
  waiting: number
}

/** An index that searches once for all who ask the same at nearly the same time: agents poll, and pages are reloaded. */
export function shareAnswers(index: SearchIndex, clock: Clock): SearchIndex {
  const held = new Map<string, Shared>()

  function ask(key: string, query: SearchQuery, now: number): Shared {
    const stop = new AbortController()
    const answer = index.search(query, stop.signal)
    const shared: Shared = { askedAt: now, answer, stop, waiting: 0 }
    const forget = () => {
      if (held.get(key) === shared) held.delete(key)
    }
    answer.catch(forget)
    stop.signal.addEventListener('abort', forget, { once: true })
    held.delete(key)
    held.set(key, shared)
    // The first key is the one that was asked for the longest ago.
    for (const oldest of held.keys()) {
      if (held.size <= MAX_SHARED) break
      held.delete(oldest)
    }
    return shared
  }

  return {
    async search(query, signal) {
      signal?.throwIfAborted()
      const now = clock.now()
      const key = keyOf(query)
      const known = held.get(key)
      const age = known ? now - known.askedAt : Infinity
      const shared = known && age >= 0 && age < SHARED_MS ? known : ask(key, query, now)
      if (!signal) {
        shared.waiting = Infinity
        return shared.answer
      }
      shared.waiting++
      const gone = Promise.withResolvers<never>()
      const leave = () => {
        // Nobody waits any more: the work is for nothing.
        if (--shared.waiting === 0) shared.stop.abort(signal.reason)
        gone.reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([shared.answer, gone.promise])
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
    duplicates: (ref, limit) => index.duplicates(ref, limit),
    state: () => index.state(),
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

/** Times are compared in whole seconds, as an index does. */
function keyOf(query: SearchQuery): string {
  const seconds = (instant: number) => Math.ceil(instant / 1000)
  return JSON.stringify({ ...query, since: seconds(query.since), until: seconds(query.until) })
}
