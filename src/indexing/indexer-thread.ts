import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../model/clock.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import { IndexLockedError } from '../search/search-index.ts'
import type { IndexWriter } from '../search/search-index.ts'
import { openStore } from '../store/open-store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { createLanguageDetector } from '../text/language.ts'
import { createIndexer } from './indexer.ts'
import type { IndexerConfig, ThreadMessage } from './start-indexer.ts'

/** The indexer's thread: it opens store and index for itself, so that none of its work waits on the event loop's. */
const config = workerData as IndexerConfig
const stopped = new AbortController()
const port = parentPort!
const tell = (message: ThreadMessage) => port.postMessage(message)
port.on('message', () => stopped.abort(new Error('the indexer stops')))

const LOCKED_MS = 5_000

/** Another process may be writing: this one stands by until it ends or dies. */
async function openWriter(signal: AbortSignal): Promise<IndexWriter | undefined> {
  let isTold = false
  while (!signal.aborted) {
    try {
      return await openIndexWriter(config.index, systemClock)
    } catch (error) {
      if (!isTold && !(error instanceof IndexLockedError)) tell({ kind: 'failed', error })
      isTold = true
      await systemClock.sleep(LOCKED_MS, signal).catch(() => undefined)
    }
  }
  return undefined
}

async function run(signal: AbortSignal): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const store = owned.use(await openStore({ ...config.store, clock: systemClock }))
  const writer = await openWriter(signal)
  if (!writer) return
  owned.use(writer)
  await createIndexer({
    archive: store.archive,
    writer,
    detector: createLanguageDetector(config.languageModel),
    analyzerVersion: ANALYZER_VERSION,
    clock: systemClock,
    events: {
      indexed: (event) => tell({ kind: 'indexed', event }),
      rebuilding: (event) => tell({ kind: 'rebuilding', event }),
      failed: (error) => tell({ kind: 'failed', error }),
    },
  }).run(signal)
}

await run(stopped.signal)
port.close()
