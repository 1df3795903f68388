import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Channel } from '../model/channel.ts'
import { hash48 } from '../model/hash48.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { IndexDocument } from '../search/search-index.ts'
import type { Derived } from '../store/archive.ts'
import type { Fingerprinted } from '../store/groups.ts'
import { termHashes } from '../store/terms.ts'
import { analyze, type Analysis, type Token } from '../text/analyze.ts'
import { fingerprint, type Fingerprint } from '../text/fingerprint.ts'
import type { LanguageDetector } from '../text/language.ts'
import { linkWords } from '../text/link-words.ts'
import { postFeatures, postHas } from '../text/post-features.ts'
import { searchableText } from '../text/searchable-text.ts'
import { normaliseUrl } from '../text/urls.ts'
import { languageOfPost, languageOfText, type TextLanguage } from './post-language.ts'

/** An archived post and what its text tells about its language. */
export interface DetectedPost {
  readonly post: ArchivedPost
  readonly text: string
  readonly textLanguage: TextLanguage
}

/** What is derived from an archived post. */
export interface DerivedPost {
  /** What the archive keeps of the analysis. */
  readonly derived: Derived
  /** What it is compared with other posts by. */
  readonly fingerprinted: Fingerprinted
  /** What the index takes once the standing of the post in its group is known. */
  readonly document: Omit<IndexDocument, 'group' | 'isCopy'>
}

export function detectPost(post: ArchivedPost, detector: LanguageDetector): DetectedPost {
  const text = searchableText(post)
  return { post, text, textLanguage: languageOfText(text, detector) }
}

export function deriveDocument(
  read: DetectedPost,
  channel: Channel,
  detector: LanguageDetector,
): DerivedPost {
  const { post, text, textLanguage } = read
  const language = languageOfPost(read, channel.language, detector)
  const analysis = analyze(text, language)
  const prints = fingerprint(text, analysis, post.entities)
  const document = documentOf(post, channel, { language, text, analysis })
  const { channelId, number, revision } = post
  return {
    derived: {
      channelId,
      number,
      revision,
      language,
      detectedLanguage: textLanguage.code,
      languageWeight: textLanguage.weight,
      terms: termHashes([...document.toks, ...document.stems]),
      has: document.has,
    },
    document,
    fingerprinted: fingerprintedOf(post, prints),
  }
}

/** The document of a post whose language the archive already knows. */
export function searchDocument(
  post: ArchivedPost,
  channel: Channel,
): Omit<IndexDocument, 'group' | 'isCopy'> {
  const language = post.language ?? channel.language
  const text = searchableText(post)
  return documentOf(post, channel, { language, text, analysis: analyze(text, language) })
}

function documentOf(
  post: ArchivedPost,
  channel: Channel,
  { language, text, analysis }: { language: string | null; text: string; analysis: Analysis },
): Omit<IndexDocument, 'group' | 'isCopy'> {
  const { channelId, number, revision } = post
  const features = postFeatures(post)
  const tokens = [...analysis.tokens, ...linkTokens(features.links, analysis.tokens, language)]
  const lineEnd = firstLineEnd(text)
  return {
    channelId,
    number,
    revision,
    publishedAt: post.publishedAt,
    firstCapturedAt: post.firstCapturedAt,
    language,
    toks: tokens.map((token) => token.tok),
    stems: tokens.map((token) => token.stem),
    accented: tokens.filter((token) => token.isAccented).map((token) => token.tok),
    firstLineToks: analysis.tokens.filter((token) => token.start < lineEnd).length,
    // Mentions come from the features only, so that a hit shows the mentions it was found by.
    entities: [...new Set(analysis.entities.map(({ term }) => term))].filter(
      (term) => !term.startsWith('@'),
    ),
    hashtags: features.hashtags.map((each) => each.tag),
    mentions: features.mentions,
    domains: features.domains,
    urls: [...new Set(features.links.flatMap((link) => normaliseUrl(link) ?? []))],
    forwardedFrom: forwardedName(post),
    isForward: post.forwardedFrom !== null,
    isReply: post.replyTo !== null,
    isEdited: post.edited,
    has: postHas(post),
    ...countersOf(post),
    subscribers: channel.subscribers?.value ?? 0,
  }
}

/** Words that occur only in its links: a word of the text must not weigh more because a link repeats it. */
function linkTokens(
  links: readonly string[],
  own: readonly Token[],
  language: string | null,
): readonly Token[] {
  const words = links.length === 0 ? '' : linkWords(links)
  if (words === '') return []
  const known = new Set(own.map((token) => token.tok))
  return analyze(words, language).tokens.filter((token) => !known.has(token.tok))
}

/** The largest counter an index can hold. A page may claim more, which would overflow to a smaller number. */
const MAX_INDEXED = 0xffff_ffff

export function countersOf(post: ArchivedPost): { views: number; reactions: number } {
  const reactions = post.reactions.reduce((sum, reaction) => sum + reaction.count.value, 0)
  return {
    views: Math.min(post.views?.value ?? 0, MAX_INDEXED),
    reactions: Math.min(reactions, MAX_INDEXED),
  }
}

/** Deleted posts and service posts are not in the index. */
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

/** What a post is compared with others by: its text without links and footers, the post it was forwarded from, its bands. */
function fingerprintedOf(post: ArchivedPost, print: Fingerprint): Fingerprinted {
  const { channelId, number, publishedAt } = post
  const forwarded = forwardedPost(post)
  return {
    channelId,
    number,
    publishedAt,
    keys: [
      ...(print.exact === null ? [] : [hash48(`text ${print.exact}`)]),
      ...(forwarded === null ? [] : [hash48(`forward ${forwarded}`)]),
    ],
    bands: Array.from(print.bands, (band, i) => hash48(`band ${i} ${band}`)),
    sketch: [...print.sketch],
  }
}

/** The post it was forwarded from, as `username/number` in lower case. */
function forwardedPost({ forwardedFrom }: ArchivedPost): string | null {
  const url = forwardedFrom?.postUrl
  const name = url ? parseChannelName(url) : undefined
  const number = url ? /\/(\d{1,10})\/?(?:\?.*)?$/.exec(url)?.[1] : undefined
  return name !== undefined && number !== undefined ? `${nameKey(name)}/${number}` : null
}
