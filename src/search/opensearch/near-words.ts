import { createCache } from '../../model/cache.ts'
import type { Clock } from '../../model/clock.ts'
import { MINUTE_MS } from '../../model/time.ts'
import { LONG_LENGTH, SURE_LETTERS } from '../correct.ts'
import type { EngineSession } from './engine-session.ts'
import type { Query } from './query-dsl.ts'

/** How many near words are asked for, for each word that no shard has. */
const NEAREST = 20
/** The engine compares a word with all that it holds: what it found is cached, so that it need not for a repeated query. */
const CACHED_MS = 10 * MINUTE_MS
const MAX_CACHED = 2_000

/** Words at edit distance one or two, with the number of posts that hold them. */
export type NearWords = ReadonlyMap<string, number>

interface Suggestion {
  readonly options: readonly { readonly text: string; readonly freq: number }[]
}

/** Finds the words that are near to words which no post holds. */
export function createNearWords(clock: Clock) {
  const cached = createCache<string, NearWords>({
    maxEntries: MAX_CACHED,
    maxAge: { ms: CACHED_MS, clock },
  })

  return async (words: readonly string[], session: EngineSession): Promise<NearWords> => {
    const near = new Map<string, NearWords>()
    const lacking: string[] = []
    for (const word of words) {
      const known = cached.get(word)
      if (known) near.set(word, known)
      else lacking.push(word)
    }
    if (lacking.length > 0) {
      const [told] = await session.search([suggestBody(lacking)])
      const suggested = (told!.suggest ?? {}) as Record<string, readonly Suggestion[]>
      for (const [i, word] of lacking.entries()) {
        const options = [suggested[`one${i}`], suggested[`two${i}`]].flatMap((each = []) =>
          each.flatMap((part) => part.options),
        )
        const found = new Map(options.map(({ text, freq }) => [text, freq]))
        // A shard that did not answer may hold the nearest.
        if (session.reason === null) cached.set(word, found)
        near.set(word, found)
      }
    }
    return new Map([...near.values()].flatMap((each) => [...each]))
  }
}

function suggestBody(words: readonly string[]): Query {
  const suggestions = words.flatMap((text, i) => {
    const one = { ...NEAR, max_edits: 1, prefix_length: 0 }
    const two = { ...NEAR, max_edits: 2, prefix_length: SURE_LETTERS }
    return [
      [`one${i}`, { text, term: one }],
      ...(text.length >= LONG_LENGTH ? [[`two${i}`, { text, term: two }]] : []),
    ]
  })
  return { size: 0, track_total_hits: false, suggest: Object.fromEntries(suggestions) as Query }
}

const NEAR = {
  field: 'w',
  min_word_length: 4,
  suggest_mode: 'always',
  size: NEAREST,
  shard_size: 5 * NEAREST,
}
