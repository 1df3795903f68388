import { readLanguageModel } from '../language-model.ts'
import { isIndexExpected } from '../indexing/index-expected.ts'
import { acquireIndexerRole, RoleTakenError } from '../indexing/acquire-indexer-role.ts'
import { createThreadedDerive } from '../indexing/threaded-derive.ts'
import { createIndexer, type Indexer } from '../indexing/indexer.ts'
import { systemClock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import type { IndexWriter } from '../search/search-index.ts'
import { PENDING_BOUND, indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import type { CommandCall } from './command.ts'
import { explain } from './explain.ts'
import { createProgress } from './progress.ts'

/** The parts of a command's call that indexing needs. */
interface IndexingCall extends Pick<CommandCall, 'print' | 'signal'> {
  readonly config: Pick<CommandCall['config'], 'index'>
}

/**
 * Runs `work` with an indexer of this process; resolves to undefined when another process writes the index. `work` has to
 * end with the signal, because another process may have taken over the index.
 */
export async function withIndexer<T>(
  store: Store,
  call: IndexingCall,
  work: (indexer: Indexer, writer: IndexWriter, signal: AbortSignal) => Promise<T>,
  onProgress: { indexed?(posts: number): void; rebuilding?(done: number, total: number): void },
): Promise<T | undefined> {
  await using owned = new AsyncDisposableStack()
  const failed = new AbortController()
  const writer = await openOwnWriter(store, call, owned, (error) => failed.abort(error))
  if (!writer) return undefined
  const languageModel = await readLanguageModel()
  const { derive } = owned.use(createThreadedDerive({ languageModel }))
  const indexer = createIndexer({
    store,
    writer,
    derive,
    clock: systemClock,
    events: {
      indexed: ({ posts }) => onProgress.indexed?.(posts),
      rebuilding: ({ done, total }) => onProgress.rebuilding?.(done, total),
      failed: (error) => failed.abort(error),
    },
  })
  const result = await work(indexer, writer, AbortSignal.any([call.signal, failed.signal]))
  failed.signal.throwIfAborted()
  return result
}

/** Undefined while another process writes the index. */
async function openOwnWriter(
  store: Store,
  { config, print, signal }: IndexingCall,
  owned: AsyncDisposableStack,
  onLost: (error: Error) => void,
): Promise<IndexWriter | undefined> {
  try {
    const lost = () => onLost(new Error('another process took over the index'))
    owned.use(await acquireIndexerRole(store.roles, indexConsumer(ANALYZER_VERSION), lost))
    return owned.use(
      await openIndexWriter(config.index, systemClock, {
        signal,
        isExpected: await isIndexExpected(store),
        onDamaged: (why) =>
          print.note(
            why === null
              ? 'There is no index, as beside a restored backup: it is built from the archive.'
              : `The index was damaged or lost and is begun anew: ${why}`,
          ),
        onRefused: (id, why) => print.note(`The index never takes post ${id}: ${why}`),
      }),
    )
  } catch (error) {
    if (error instanceof RoleTakenError) return undefined
    throw error
  }
}

/** Who updates the index, and when. The changes in the archive stand, whether the index can be reached or not. */
export type IndexedWhen = 'now' | 'by the running server' | 'once the index is back'

/**
 * Builds the index of an empty archive, which makes it complete: whatever is archived later reaches it as changes. Otherwise the
 * next service would build it once more.
 */
export async function beginIndex(store: Store, call: IndexingCall): Promise<void> {
  if ((await store.archive.totals()).posts > 0) return
  const build = async (indexer: Indexer, writer: IndexWriter, signal: AbortSignal) => {
    if (!(await writer.state()).complete) await indexer.rebuild(signal)
  }
  // An index that cannot be written is reported once there are posts for it.
  await withIndexer(store, call, build, {}).catch(() => {})
}

/** Makes pending changes searchable, unless a running server does that anyway. */
export async function indexPending(store: Store, call: IndexingCall): Promise<IndexedWhen> {
  try {
    return await tellIndex(store, call)
  } catch (error) {
    const isAway = error instanceof AppError && error.extra['reason'] === 'index_unavailable'
    if (!isAway) throw error
    call.print.note(`${explain(error)}. Changes wait in the archive and are indexed later.`)
    return 'once the index is back'
  }
}

async function tellIndex(store: Store, call: IndexingCall): Promise<IndexedWhen> {
  const waiting = await store.changes.pending(indexConsumer(ANALYZER_VERSION), PENDING_BOUND)
  const progress = createProgress(call.print, systemClock, 'indexing', 'posts')
  let done = 0
  const fill = async (indexer: Indexer, writer: IndexWriter, signal: AbortSignal) => {
    // An index that was lost has to be filled with everything else, too.
    if ((await writer.state()).problem !== null) await indexer.rebuild(signal)
    return indexer.drain(signal)
  }
  const drained = await withIndexer(store, call, fill, {
    indexed(posts) {
      done += posts
      progress.update(done, Math.max(done, waiting.count))
    },
    // After an upgrade everything is indexed anew, which takes minutes.
    rebuilding: (posts, total) => progress.update(posts, Math.max(posts, total)),
  })
  progress.end()
  return drained === undefined ? 'by the running server' : 'now'
}
