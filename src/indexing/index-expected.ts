import { indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'

/** Whether the index should hold posts: it has been told of all but those that still wait. If it is empty, it has lost them. */
export async function isIndexExpected(store: Pick<Store, 'archive' | 'changes'>): Promise<boolean> {
  const { posts } = await store.archive.totals()
  const waiting = await store.changes.pending(indexConsumer(ANALYZER_VERSION), posts + 1)
  return posts > waiting.count
}
