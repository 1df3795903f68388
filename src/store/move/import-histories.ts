import type { PostHistory } from '../post-history.ts'
import { planToldHistories, type ToldResult } from '../plan/told-history.ts'
import type { Store } from '../store.ts'

export type { PostHistory } from '../post-history.ts'

/**
 * Imports posts of one channel from a file, with their versions and capture times, in one transaction. Posts that were read
 * from the channel itself are not changed. Repeating it changes nothing.
 */
export function importHistories(
  store: Store,
  channelId: number,
  histories: readonly PostHistory[],
  at: number,
): Promise<ToldResult> {
  const { retention } = store
  return store.run((draft) => planToldHistories(draft, channelId, histories, { at, retention }))
}
