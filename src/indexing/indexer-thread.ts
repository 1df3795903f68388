import { parentPort, workerData } from 'node:worker_threads'
import { systemClock as clock } from '../model/clock.ts'
import { isUnavailable } from '../model/errors.ts'
import { endThread } from '../model/thread.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import { FencedOffError, IndexDamagedError } from '../search/search-index.ts'
import { indexConsumer } from '../store/changes.ts'
import { holdsStore, openStore } from '../store/open-store.ts'
import { StoreGoneError } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { createThreadedDerive } from './threaded-derive.ts'
import { isIndexExpected } from './index-expected.ts'
import { acquireIndexerRole } from './acquire-indexer-role.ts'
import { createIndexer } from './indexer.ts'
import { openWriter } from './open-writer.ts'
import type { IndexerConfig, ThreadMessage } from './start-indexer.ts'

/** The indexer's thread. It opens store and index itself, so that its work never waits for the main thread's event loop. */
const config = workerData as IndexerConfig
const stopped = new AbortController()
const port = parentPort!
const tell = (message: ThreadMessage) => port.postMessage(message)
/** An error that is posted to another thread keeps only its message, so its kind is decided here. */
const failed = (error: unknown) =>
  tell(isUnavailable(error) ? { kind: 'waits', reason: error.message } : { kind: 'failed', error })
port.on('message', () => stopped.abort(new Error('the indexer stops')))

async function run(signal: AbortSignal): Promise<void> {
  await using owned = new AsyncDisposableStack()
  // Opening a store that is gone would create an empty one, and its index would answer that there are no posts.
  if (!holdsStore(config.store)) throw new StoreGoneError('the store')
  const store = owned.use(await openStore({ ...config.store, clock, signal }))
  const consumer = indexConsumer(ANALYZER_VERSION)
  const writer = await openWriter({
    async open() {
      await using held = new AsyncDisposableStack()
      held.use(
        await acquireIndexerRole(store.roles, consumer, () =>
          stopped.abort(new Error('role lost')),
        ),
      )
      // No index is missing that this store was never told of, as of a new version's analyzer.
      const isKnown = (await store.changes.consumers()).some(({ name }) => name === consumer)
      const opened = await openIndexWriter(config.index, clock, {
        signal,
        // Asked only now, since this process may have stood by for days.
        isExpected: await isIndexExpected(store),
        onDamaged(why) {
          if (isKnown || why !== null) tell({ kind: 'damaged', why })
        },
        onUnmerged: (part, why) =>
          tell({ kind: 'waits', reason: `${part} could not be merged: ${why}` }),
        onRefused: (id, why) =>
          tell({ kind: 'failed', error: new Error(`the index never takes post ${id}: ${why}`) }),
      })
      owned.use(held.move())
      return opened
    },
    clock,
    signal,
    events: {
      standsBy: (reason) => tell({ kind: 'standsBy', reason }),
      failed,
    },
  })
  if (!writer) return
  owned.use(writer)
  const { languageModel } = config
  const { derive } = owned.use(createThreadedDerive({ languageModel }))
  await createIndexer({
    store,
    writer,
    derive,
    clock,
    events: {
      indexed: (event) => tell({ kind: 'indexed', event }),
      rebuilding: (event) => tell({ kind: 'rebuilding', event }),
      failed,
    },
  }).run(signal)
}

try {
  await run(stopped.signal)
} catch (error) {
  // The next thread opens the index again, sets aside what is damaged, and reports it.
  if (error instanceof FencedOffError) tell({ kind: 'waits', reason: error.message })
  else if (!(error instanceof IndexDamagedError) && error !== stopped.signal.reason) throw error
}
endThread()
