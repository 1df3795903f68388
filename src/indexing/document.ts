import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Channel } from '../model/channel.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { IndexDocument } from '../search/search-index.ts'
import type { Derived } from '../store/archive.ts'
import { analyze } from '../text/analyze.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { LanguageDetector } from '../text/language.ts'
import { postFeatures } from '../text/post-features.ts'
import { searchableText } from '../text/searchable-text.ts'
import { normaliseUrl } from '../text/urls.ts'
import { languageOfPost } from './post-language.ts'

/** What an archived post becomes: what the store keeps of its analysis, and what the index takes. Pure. */
export function deriveDocument(
  post: ArchivedPost,
  channel: Channel,
  detector: LanguageDetector,
): { readonly derived: Derived; readonly document: IndexDocument } {
  const text = searchableText(post)
  const { language, detectedLanguage, languageWeight } = languageOfPost(text, channel, detector)
  const analysis = analyze(text, language)
  const { tokens } = analysis
  const features = postFeatures(post)
  const prints = fingerprint(text, analysis, post.entities)
  const toks = tokens.map((token) => token.tok)
  const stems = tokens.map((token) => token.stem)
  const lineEnd = firstLineEnd(text)
  const { channelId, number, revision } = post
  return {
    derived: {
      channelId,
      number,
      revision,
      language,
      detectedLanguage,
      languageWeight,
      terms: [...new Set([...toks, ...stems])].join(' '),
    },
    document: {
      channelId,
      number,
      revision,
      publishedAt: post.publishedAt,
      firstCapturedAt: post.firstCapturedAt,
      language,
      toks,
      stems,
      accented: tokens.filter((token) => token.isAccented).map((token) => token.tok),
      firstLineToks: tokens.filter((token) => token.start < lineEnd).length,
      // Names come from the features alone: a hit shows the mentions it was found by.
      entities: [...new Set(analysis.entities.map(({ term }) => term))].filter(
        (term) => !term.startsWith('@'),
      ),
      hashtags: features.hashtags.map((each) => each.tag),
      mentions: features.mentions,
      domains: features.domains,
      urls: [...new Set(features.links.flatMap((link) => normaliseUrl(link) ?? []))],
      forwardedFrom: forwardedName(post),
      forwardedPost: forwardedPost(post),
      isForward: post.forwardedFrom !== null,
      isReply: post.replyTo !== null,
      isEdited: post.edited,
      has: features.has,
      ...countersOf(post),
      subscribers: channel.subscribers?.value ?? 0,
      exactHash: prints.exact,
      bands: [...prints.bands],
      sketch: [...prints.sketch],
    },
  }
}

/** What an index keeps of a counter. A page may claim more, and would be filed under what is left of it. */
const MAX_INDEXED = 0xffff_ffff

export function countersOf(post: ArchivedPost): { views: number; reactions: number } {
  const reactions = post.reactions.reduce((sum, reaction) => sum + reaction.count.value, 0)
  return {
    views: Math.min(post.views?.value ?? 0, MAX_INDEXED),
    reactions: Math.min(reactions, MAX_INDEXED),
  }
}

/** Deleted, service and empty posts are not in the index. */
export function isSearchable(post: ArchivedPost | undefined): post is ArchivedPost {
  return post !== undefined && post.deletedAt === null && post.kind === 'post'
}

function firstLineEnd(text: string): number {
  const start = text.search(/\S/)
  const end = text.indexOf('\n', Math.max(0, start))
  return end < 0 ? text.length : end
}

function forwardedName({ forwardedFrom }: ArchivedPost): string | null {
  return forwardedFrom?.username ? nameKey(forwardedFrom.username) : null
}

function forwardedPost({ forwardedFrom }: ArchivedPost): string | null {
  const url = forwardedFrom?.postUrl
  const name = url ? parseChannelName(url) : undefined
  const number = url ? /\/(\d{1,10})\/?(?:\?.*)?$/.exec(url)?.[1] : undefined
  return name !== undefined && number !== undefined ? `${nameKey(name)}/${number}` : null
}
