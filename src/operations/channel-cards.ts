import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import type { Archive } from '../store/archive.ts'
import type { Pictures } from './pictures.ts'
import { viewChannelCard, type ChannelCardView } from './views/channel.ts'

/** How long a card may outlive its channel: a removed channel has to be gone from every answer within 60 s. */
const CACHE_MS = 5_000
const CACHE_SIZE = 20_000

/**
 * What hits show of their channels, cached briefly: otherwise each page of hits would cost a look-up. A channel that is gone
 * or removed has no card, and its hits are left out of the answer.
 */
export interface ChannelCards {
  byId(ids: readonly number[]): Promise<ReadonlyMap<number, ChannelCardView>>
}

export function createChannelCards(
  archive: Archive,
  pictures: Pictures,
  clock: Clock,
): ChannelCards {
  /** Null marks a channel that is gone. */
  const cache = createCache<number, ChannelCardView | null>({
    maxEntries: CACHE_SIZE,
    maxAge: { ms: CACHE_MS, clock },
  })

  return {
    async byId(ids) {
      const since = clock.elapsed()
      const found = new Map<number, ChannelCardView>()
      const missing: number[] = []
      for (const id of new Set(ids)) {
        const held = cache.get(id)
        if (held === undefined) missing.push(id)
        else if (held !== null) found.set(id, held)
      }
      if (missing.length === 0) return found
      const channels = await archive.channelsById(missing)
      const avatarOf = await pictures.ofChannels(channels)
      for (const channel of channels) {
        found.set(channel.id, viewChannelCard(channel, avatarOf(channel)))
      }
      for (const id of missing) cache.set(id, found.get(id) ?? null, since)
      return found
    },
  }
}
