import { readLanguageModel } from '../language-model.ts'
import { indexFolder } from '../open-index.ts'
import { isIndexExpected } from '../indexing/expected.ts'
import { createIndexer } from '../indexing/indexer.ts'
import type { Indexer } from '../indexing/indexer.ts'
import { systemClock } from '../model/clock.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import { IndexLockedError, type IndexWriter } from '../search/search-index.ts'
import { PENDING_BOUND, indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { createLanguageDetector } from '../text/language.ts'
import type { CommandCall } from './command.ts'
import { createProgress } from './progress.ts'

/** The indexer of this process while it lives, or undefined when another process writes the index. */
export async function withIndexer<T>(
  store: Store,
  call: CommandCall,
  work: (indexer: Indexer, writer: IndexWriter) => Promise<T>,
  onProgress: { indexed?(posts: number): void; rebuilding?(done: number, total: number): void },
): Promise<T | undefined> {
  const writer = await openIndexWriter(
    { kind: 'embedded', folder: indexFolder(call.config) },
    systemClock,
    {
      isExpected: await isIndexExpected(store),
      onDamaged: (why) =>
        call.print.note(`The index was damaged or lost and is begun anew: ${why}`),
    },
  ).catch((error: unknown) => {
    if (error instanceof IndexLockedError) return undefined
    throw error
  })
  if (!writer) return undefined
  await using _ = writer
  let failure: unknown
  const indexer = createIndexer({
    archive: store.archive,
    changes: store.changes,
    writer,
    detector: createLanguageDetector(await readLanguageModel()),
    analyzerVersion: ANALYZER_VERSION,
    clock: systemClock,
    events: {
      indexed: ({ posts }) => onProgress.indexed?.(posts),
      rebuilding: ({ done, total }) => onProgress.rebuilding?.(done, total),
      failed: (error) => (failure = error),
    },
  })
  const result = await work(indexer, writer)
  if (failure !== undefined) throw failure
  return result
}

/** Makes searchable what waits, unless a running server does it anyway. Resolves to who did. */
export async function indexPending(
  store: Store,
  call: CommandCall,
): Promise<'now' | 'by the running server'> {
  const waiting = await store.changes.pending(indexConsumer(ANALYZER_VERSION), PENDING_BOUND)
  const progress = createProgress(call.print, systemClock, 'indexing', 'posts')
  let done = 0
  const fill = async (indexer: Indexer, writer: IndexWriter) => {
    // One that was lost has to be told of the rest, too.
    if ((await writer.state()).problem !== null) await indexer.rebuild(call.signal)
    return indexer.drain(call.signal)
  }
  const drained = await withIndexer(store, call, fill, {
    indexed(posts) {
      done += posts
      progress.update(done, Math.max(done, waiting.count))
    },
  })
  progress.end()
  return drained === undefined ? 'by the running server' : 'now'
}
