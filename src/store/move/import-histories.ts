import type { PostHistory } from '../post-history.ts'
import { planToldHistories, type ToldResult } from '../plan/told-history.ts'
import type { Store } from '../store.ts'

export type { PostHistory } from '../post-history.ts'

/**
 * Takes posts of one channel with the versions and captures that a file tells of them, in one transaction. What was read from
 * the channel itself stands; repeating it changes nothing.
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
