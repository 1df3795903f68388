import type { DeliveryOverview } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'

/** The state of watches and deliveries. */
export interface WatchOverview extends DeliveryOverview {
  readonly watches: number
  /** When the oldest event happened that has not been matched yet; null when all have been. */
  readonly behindSince: number | null
}

export async function watchOverview(
  store: Pick<Store, 'watches' | 'deliveries' | 'events'>,
): Promise<WatchOverview> {
  const [watches, deliveries, position] = await Promise.all([
    store.watches.count(),
    store.deliveries.overview(),
    store.deliveries.position(),
  ])
  // Without a watch, the event log is not read.
  const next = watches === 0 || position === null ? [] : await store.events.after(position, 1)
  return { ...deliveries, watches, behindSince: next[0]?.at ?? null }
}
