import { indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'

/** Whether an index has been told of posts, as it is of all but those that wait: one that is empty has lost them. */
export async function isIndexExpected(store: Pick<Store, 'archive' | 'changes'>): Promise<boolean> {
  const { posts } = await store.archive.totals()
  const waiting = await store.changes.pending(indexConsumer(ANALYZER_VERSION), posts + 1)
  return posts > waiting.count
}
