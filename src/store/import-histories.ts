import type { PostHistory } from './post-history.ts'
import { planImportedHistories, type ImportResult } from './plan/imported-history.ts'
import type { Store } from './store.ts'

export type { PostHistory } from './post-history.ts'

/**
 * Imports posts of one channel from a file, with their versions and capture times, in one transaction. Posts that were read
 * from the channel itself are not changed. Repeating it changes nothing.
 */
export function importHistories(
  store: Store,
  channelId: number,
  histories: readonly PostHistory[],
  at: number,
): Promise<ImportResult> {
  const { retention } = store
  return store.run((draft) => planImportedHistories(draft, channelId, histories, { at, retention }))
}
