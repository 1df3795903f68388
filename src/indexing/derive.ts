import type { Channel } from '../model/channel.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { IndexDocument } from '../search/search-index.ts'
import type { Archive, Derived } from '../store/archive.ts'
import type { Groups } from '../store/groups.ts'
import type { LanguageDetector } from '../text/language.ts'
import {
  deriveDocument,
  isSearchable,
  detectPost,
  type DerivedPost,
  type DetectedPost,
} from './document.ts'
import { firstLanguage } from './post-language.ts'

/** Every post gets its language and terms for the archive; only posts of the search window get a document for the index. */
export interface DerivedBatch {
  readonly searchable: readonly DerivedPost[]
  readonly derived: readonly Derived[]
}

/** Posts published before `since` get no document. */
export type Derive = (
  posts: readonly (ArchivedPost | undefined)[],
  channels: ReadonlyMap<number, Channel>,
  since: number,
) => Promise<DerivedBatch>

/** Derives in the calling thread. */
export function createDerive(detector: LanguageDetector): Derive {
  return async (...given) => derive(detector, ...given)
}

export function derive(
  detector: LanguageDetector,
  posts: readonly (ArchivedPost | undefined)[],
  channels: ReadonlyMap<number, Channel>,
  since: number,
): DerivedBatch {
  const searchable: DerivedPost[] = []
  const derived: Derived[] = []
  const read = posts
    .filter(isSearchable)
    .filter((post) => channels.has(post.channelId))
    .map((post) => detectPost(post, detector))
  const known = withLanguages(channels, read)
  for (const each of read) {
    const made = deriveDocument(each, known.get(each.post.channelId)!, detector)
    derived.push(made.derived)
    if (each.post.publishedAt >= since) searchable.push(made)
  }
  return { searchable, derived }
}

/** A channel read for the first time is given the language that these posts will give it. */
function withLanguages(
  channels: ReadonlyMap<number, Channel>,
  posts: readonly DetectedPost[],
): ReadonlyMap<number, Channel> {
  const known = new Map(channels)
  for (const [id, own] of Map.groupBy(posts, ({ post }) => post.channelId)) {
    const channel = channels.get(id)!
    if (channel.language !== null) continue
    known.set(id, {
      ...channel,
      language: firstLanguage(own.map(({ textLanguage }) => textLanguage)),
    })
  }
  return known
}

/** The documents of posts, each with its standing in the group of posts that say the same. */
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
