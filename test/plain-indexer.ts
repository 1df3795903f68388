import { createDerive, type Derive } from '../src/indexing/derive.ts'
import { createIndexer } from '../src/indexing/indexer.ts'
import type { Indexer, IndexerEvents, IndexerOptions } from '../src/indexing/indexer.ts'
import type { Clock } from '../src/model/clock.ts'
import type { Store } from '../src/store/store.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import type { LanguageDetector } from '../src/text/language.ts'

/** Two languages tell the tests enough, and reading the model would cost each of them half a second. */
const BY_LETTERS: LanguageDetector = {
  detect: (text) => ({ code: /[а-я]/i.test(text) ? 'ru' : 'en', score: 1, letters: text.length }),
  plain: () => undefined,
}

export function deriveByLetters(clock: Clock): Derive {
  return createDerive({ detector: BY_LETTERS, clock })
}

/** An indexer whose failures are those of the test. */
export function createPlainIndexer(
  tools: Pick<IndexerOptions, 'writer' | 'clock'> & {
    readonly store: Store
    readonly analyzerVersion?: number
    readonly batch?: number
    readonly derive?: Derive
  },
  events: Partial<IndexerEvents> = {},
): Indexer {
  const { store, writer, clock, batch, analyzerVersion = ANALYZER_VERSION } = tools
  return createIndexer({
    archive: store.archive,
    changes: store.changes,
    groups: store.groups,
    log: store.events,
    writer,
    clock,
    derive: tools.derive ?? deriveByLetters(clock),
    analyzerVersion,
    ...(batch !== undefined && { batch }),
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
