import type { Channel } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import type { Archive } from '../store/archive.ts'
import { viewChannelCard } from './views/channel.ts'
import type { ChannelCardView } from './views/channel.ts'

/** A removed channel has to be gone from every answer within 60 s; this is how long a card may outlive it. */
const CACHE_MS = 5_000
const CACHE_SIZE = 20_000

/**
 * What hits say of their channels, kept for a moment: a page of hits otherwise costs a look-up each. A channel that is
 * gone or removed has no card, and its hits are left out of the answer.
 */
export interface ChannelCards {
  byId(ids: readonly number[]): Promise<ReadonlyMap<number, ChannelCardView>>
}

export function createChannelCards(archive: Archive, clock: Clock): ChannelCards {
  const cache = new Map<
    number,
    { readonly card: ChannelCardView | undefined; readonly since: number }
  >()

  return {
    async byId(ids) {
      const elapsed = clock.elapsed()
      const found = new Map<number, ChannelCardView>()
      const missing: number[] = []
      for (const id of new Set(ids)) {
        const held = cache.get(id)
        if (!held || elapsed - held.since >= CACHE_MS) missing.push(id)
        else if (held.card) found.set(id, held.card)
      }
      if (missing.length === 0) return found
      const channels = new Map<number, Channel>()
      for (const channel of await archive.channelsById(missing)) channels.set(channel.id, channel)
      for (const id of missing) {
        const channel = channels.get(id)
        const card = channel && viewChannelCard(channel)
        if (card) found.set(id, card)
        if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!)
        cache.delete(id)
        cache.set(id, { card, since: elapsed })
      }
      return found
    },
  }
}
