import type { Channel } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import type { ArchivedPost } from '../model/post.ts'
import { WINDOW_MS, type IndexDocument } from '../search/search-index.ts'
import type { Archive, Derived } from '../store/archive.ts'
import type { Groups } from '../store/groups.ts'
import type { LanguageDetector } from '../text/language.ts'
import { deriveDocument, isSearchable, type DerivedPost } from './document.ts'

/** Every post gets its language and terms for the archive; the index takes those of its window. */
export interface Made {
  readonly searchable: readonly DerivedPost[]
  readonly derived: readonly Derived[]
}

export type Derive = (
  posts: readonly (ArchivedPost | undefined)[],
  channels: ReadonlyMap<number, Channel>,
) => Promise<Made>

/** Derives in the thread that asks. */
export function createDerive(options: {
  readonly detector: LanguageDetector
  readonly clock: Clock
}): Derive {
  const { detector, clock } = options
  return async (posts, channels) => derive({ detector, now: clock.now() }, posts, channels)
}

export function derive(
  options: { readonly detector: LanguageDetector; readonly now: number },
  posts: readonly (ArchivedPost | undefined)[],
  channels: ReadonlyMap<number, Channel>,
): Made {
  const oldest = options.now - WINDOW_MS
  const searchable: DerivedPost[] = []
  const derived: Derived[] = []
  for (const post of posts) {
    const channel = post && channels.get(post.channelId)
    if (!channel || !isSearchable(post)) continue
    const made = deriveDocument(post, channel, options.detector)
    derived.push(made.derived)
    if (post.publishedAt >= oldest) searchable.push(made)
  }
  return { searchable, derived }
}

/** The documents of posts, each with its place among those that say the same. */
export async function grouped(
  groups: Groups,
  posts: readonly DerivedPost[],
): Promise<IndexDocument[]> {
  const standings = await groups.join(posts.map((post) => post.fingerprinted))
  return posts.map(({ document }, i) => ({ ...document, ...standings[i]! }))
}

export async function channelsOf(
  archive: Archive,
  ids: readonly number[],
): Promise<Map<number, Channel>> {
  const channels = await archive.channelsById([...new Set(ids)])
  return new Map(channels.map((channel) => [channel.id, channel]))
}
