import type { Clock } from '../model/clock.ts'
import type { SearchQuery, SearchResult } from '../model/query.ts'
import type { SearchIndex } from './search-index.ts'

/** So long an answer serves others who ask the same. Short beside the second within which a change must be seen. */
const SHARED_MS = 200
const MAX_SHARED = 256

/** And so long others wait with those who asked: an answer that is late when it comes is under load, where sharing helps most. */
const JOINED_MS = 800

interface Shared {
  readonly askedAt: number
  isAnswered: boolean
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
    const shared: Shared = { askedAt: now, isAnswered: false, answer, stop, waiting: 0 }
    const forget = () => {
      if (held.get(key) === shared) held.delete(key)
    }
    answer.then(() => void (shared.isAnswered = true), forget)
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
      const shared = known && isFresh(known, now) ? known : ask(key, query, now)
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

function isFresh({ askedAt, isAnswered }: Shared, now: number): boolean {
  const age = now - askedAt
  return age >= 0 && age < (isAnswered ? SHARED_MS : JOINED_MS)
}

/** The window moves with every millisecond, but is looked at in whole seconds. */
function keyOf(query: SearchQuery): string {
  const seconds = (instant: number) => Math.ceil(instant / 1000)
  return JSON.stringify({ ...query, since: seconds(query.since), until: seconds(query.until) })
}
