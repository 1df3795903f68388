import { systemClock } from '../../model/clock.ts'
import type { CommandCall } from '../command.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

/**
 * Builds the index anew, and renames the event log: the archive may have been put back to an earlier moment, and then it gives
 * numbers of channels, posts and events again that the index and the readers of streams know as others.
 */
export async function reindex(call: CommandCall): Promise<void> {
  const { print } = call
  await using store = await openLocalStore(call)
  await store.events.rename()
  await store.changes.expectRebuilds()
  const progress = createProgress(print, systemClock, 'rebuilding', 'posts')
  const { withIndexer } = await import('../index-pending.ts')
  const own = await withIndexer(
    store,
    call,
    async (indexer, _writer, signal) => {
      await indexer.drain(signal)
      return true
    },
    { rebuilding: (done, total) => progress.update(done, Math.max(done, total)) },
  )
  progress.end()
  const rebuilt = own !== undefined
  if (call.json) print.json({ rebuilt })
  else
    print.note(
      rebuilt ? 'The index is new.' : 'The running server starts to build it within a minute.',
    )
}
