import { createDerive, type Derive } from '../src/indexing/derive.ts'
import {
  createIndexer,
  type Indexer,
  type IndexerEvents,
  type IndexerOptions,
} from '../src/indexing/indexer.ts'
import type { LanguageDetector } from '../src/text/language.ts'

/** Two languages are enough for the tests, and loading the model would cost each of them half a second. */
const BY_LETTERS: LanguageDetector = {
  detect: (text) => ({ code: /[а-я]/i.test(text) ? 'ru' : 'en', score: 1, letters: text.length }),
  detectObvious: () => undefined,
}

export const deriveByLetters: Derive = createDerive(BY_LETTERS)

/** An indexer whose failures fail the test. */
export function createPlainIndexer(
  tools: Omit<IndexerOptions, 'derive' | 'events'> & { readonly derive?: Derive },
  events: Partial<IndexerEvents> = {},
): Indexer {
  return createIndexer({
    ...tools,
    derive: tools.derive ?? deriveByLetters,
    events: {
      indexed() {},
      rebuilding() {},
      failed(error) {
        throw error
      },
      ...events,
    },
  })
}
