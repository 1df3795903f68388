import type { Access } from '../access/access.ts'
import type { ChannelProfile } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import type { CursorCodec } from '../model/cursor.ts'
import type { Post } from '../model/post.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Store } from '../store/store.ts'
import type { NoPage } from '../telegram/source.ts'
import { createChannelCards } from './channel-cards.ts'
import type { ChannelCards } from './channel-cards.ts'
import { createOverview } from './overview.ts'
import type { Overview } from './overview.ts'

/** Everything operations work with; made once by the composition root. */
export interface Context {
  readonly store: Store
  readonly index: SearchIndex
  readonly live: LiveReader
  readonly access: Access
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly cards: ChannelCards
  readonly overview: Overview
  readonly settings: Settings
}

/** Adds to what the composition root has what operations keep for themselves. */
export function createContext(parts: Omit<Context, 'cards' | 'overview'>): Context {
  const { archive } = parts.store
  return {
    ...parts,
    cards: createChannelCards(archive, parts.clock),
    overview: createOverview({ archive, index: parts.index, clock: parts.clock }),
  }
}

/** What the operator decided and callers are told. */
export interface Settings {
  /** Base of absolute links, without a slash at the end. */
  readonly publicUrl: string
  readonly version: string
  readonly contact: string | null
  readonly removalUrl: string | null
  /** Named in `/meta`: `search`, `live`, `mcp`, … */
  readonly features: readonly string[]
}

export interface LiveRequest {
  readonly name: string
  /** Null: the newest page as it is. */
  readonly limit: number | null
  /** Posts numbered below this. */
  readonly before: number | null
  /** 0 forces a fetch. */
  readonly maxAgeMs: number
  readonly signal: AbortSignal
}

/** Reading a channel now, on a caller's wish, under a budget of its own. */
export interface LiveReader {
  /** An answer not older than `maxAgeMs`, without any I/O towards the platform; undefined when there is none. */
  cached(request: LiveRequest): LiveRead | undefined
  /**
   * Reads the platform; all who ask for the same at once share one fetch. What is found of an indexed channel is archived
   * before this resolves. Rejects only with the signal's reason.
   */
  read(request: LiveRequest): Promise<LiveRead | Exclude<NoPage, { kind: 'empty' }> | Removed>
}

export interface LiveRead {
  readonly kind: 'read'
  readonly source: 'live' | 'cache'
  readonly fetchedAt: number
  readonly profile: ChannelProfile
  /** Newest first. */
  readonly posts: readonly Post[]
  /** The store's id where the channel is indexed; null where it lives in the cache only. */
  readonly channelId: number | null
  readonly parserVersion: number
}

/** The channel is in the opt-out register; nothing was fetched, or what was fetched was dropped. */
export interface Removed {
  readonly kind: 'removed'
}
