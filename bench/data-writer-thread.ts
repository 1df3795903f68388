/** Puts batches of documents into an index, in a thread beside the one that makes them. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../src/model/clock.ts'
import { openIndexWriter } from '../src/search/open-search-index.ts'
import { WINDOW_MS, type IndexDocument } from '../src/search/search-index.ts'

const { folder } = workerData as { folder: string }
const writer = await openIndexWriter({ kind: 'embedded', folder }, systemClock)
/** Catches up on the merging that an indexer does minute by minute. */
const MERGES = 100

parentPort!.on('message', (documents: readonly IndexDocument[] | null) => {
  if (documents === null) void close()
  else void writer.apply({ puts: documents }).then(() => parentPort!.postMessage('done'))
})

async function close(): Promise<void> {
  for (let i = 0; i < MERGES; i++) await writer.expire(systemClock.now() - WINDOW_MS)
  await writer[Symbol.asyncDispose]()
  parentPort!.close()
}
