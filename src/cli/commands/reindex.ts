import { systemClock } from '../../model/clock.ts'
import { WINDOW_MS } from '../../search/search-index.ts'
import type { CommandCall } from '../command.ts'
import { plural } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function reindex(call: CommandCall): Promise<void> {
  const { print } = call
  await using store = await openLocalStore(call)
  const progress = createProgress(print, systemClock, 'rebuilding', 'posts')
  const { withIndexer } = await import('../index-pending.ts')
  const own = await withIndexer(
    store,
    call,
    async (indexer, _writer, signal) => {
      await indexer.rebuild(signal)
      await indexer.drain(signal)
      return true
    },
    { rebuilding: (done, total) => progress.update(done, Math.max(done, total)) },
  )
  progress.end()
  if (own !== undefined) {
    if (call.json) print.json({ rebuilt: true })
    else print.note('The index is new.')
    return
  }
  const touched = await store.changes.markAll(systemClock.now() - WINDOW_MS)
  if (call.json) print.json({ rebuilt: false, queued: touched })
  else
    print.note(
      `A running server puts ${plural(touched, 'post')} into its index anew; ${nextCommand(call, 'status')} counts those that wait.`,
    )
}
