import type { Channel } from '../model/channel.ts'
import type { Clock } from '../model/clock.ts'
import type { ArchivedPost } from '../model/post.ts'
import { WINDOW_MS, type IndexDocument } from '../search/search-index.ts'
import type { Archive, Derived } from '../store/archive.ts'
import type { LanguageDetector } from '../text/language.ts'
import { deriveDocument, isSearchable } from './document.ts'

/** Every post gets its language and terms for the archive; the index takes those of its window. */
export function derive(
  options: { readonly detector: LanguageDetector; readonly clock: Clock },
  posts: readonly (ArchivedPost | undefined)[],
  channels: ReadonlyMap<number, Channel>,
): { documents: IndexDocument[]; derived: Derived[] } {
  const oldest = options.clock.now() - WINDOW_MS
  const documents: IndexDocument[] = []
  const derived: Derived[] = []
  for (const post of posts) {
    const channel = post && channels.get(post.channelId)
    if (!channel || !isSearchable(post)) continue
    const made = deriveDocument(post, channel, options.detector)
    derived.push(made.derived)
    if (post.publishedAt >= oldest) documents.push(made.document)
  }
  return { documents, derived }
}

export async function channelsOf(
  archive: Archive,
  ids: readonly number[],
): Promise<Map<number, Channel>> {
  const channels = await archive.channelsById([...new Set(ids)])
  return new Map(channels.map((channel) => [channel.id, channel]))
}
