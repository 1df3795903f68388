import type { Channel, ChannelDay, ChannelProfile, ChannelStatus } from '../model/channel.ts'
import type { Count } from '../model/count.ts'
import type { ArchivedPost, Capture, Post, PostRef, PostVersion } from '../model/post.ts'
import type { HasValue, Inclusion } from '../model/query.ts'
import type { FeatureCount } from './post-features.ts'

/** What one read of a channel brought. */
export interface Reading {
  readonly channelId: number
  readonly at: number
  readonly capture: Capture
  readonly parserVersion: number
  /** Null where the read told nothing about the channel itself (an import). */
  readonly profile: ChannelProfile | null
  readonly posts: readonly Post[]
  /** Numbers whose deletion was confirmed. */
  readonly deleted: readonly number[]
}

/** What a reading changed. */
export interface ReadingResult {
  readonly added: readonly number[]
  /** The author changed them: a new version was kept. */
  readonly changed: readonly number[]
  readonly deleted: readonly number[]
  /** Not written because the channel or the post is in the opt-out register. */
  readonly refused: number
  /** Not written because they are older than the retention allows. */
  readonly tooOld: number
  /** Posts that turned out to be members of an album: the album now holds them. */
  readonly joined: number
}

export const NOTHING_WRITTEN: ReadingResult = {
  added: [],
  changed: [],
  deleted: [],
  refused: 0,
  tooOld: 0,
  joined: 0,
}

export interface ChannelQuery {
  /** Folded words, found in name, title and description as `relevanceClass` says. */
  readonly words: readonly string[]
  readonly lang: readonly string[]
  readonly minSubscribers: number | null
  readonly maxSubscribers: number | null
  readonly verified: boolean | null
  readonly activeSince: number | null
  readonly status: readonly ChannelStatus[]
  readonly sort:
    'subscribers' | 'relevance' | 'posts_per_day' | 'newest_post' | 'added' | 'username'
  readonly limit: number
  /** `next` of the previous page; opaque to everything but the adapter. */
  readonly after: string | null
}

/** A post, maybe with the revision that it had when it was read. */
export interface ReadPost extends PostRef {
  readonly revision?: number
}

/** All channels, largest first. */
export const ALL_CHANNELS: Omit<ChannelQuery, 'limit'> = {
  words: [],
  lang: [],
  minSubscribers: null,
  maxSubscribers: null,
  verified: null,
  activeSince: null,
  status: [],
  sort: 'subscribers',
  after: null,
}

/** Words that a post must all contain. */
export interface WordSearch {
  /** For each word, the hashes (`termHash`) of the terms that satisfy it; one of them is enough. */
  readonly hashes: readonly (readonly number[])[]
  /** Checks the text itself: called for posts whose hashes match, since hashes may collide, and for posts not yet analysed. */
  holds(post: ArchivedPost): boolean
}

export interface PostListQuery {
  readonly channelId: number
  readonly order: 'newest' | 'oldest'
  readonly since: number | null
  readonly until: number | null
  readonly has: readonly HasValue[]
  readonly forwards: Inclusion
  readonly words: WordSearch | null
  readonly includeDeleted: boolean
  readonly includeService: boolean
  readonly limit: number
  /** The last number of the previous page. */
  readonly after: number | null
}

/** The posts that a channel's page shows, newest first. */
export const SHOWN_POSTS: Omit<PostListQuery, 'channelId' | 'limit'> = {
  order: 'newest',
  since: null,
  until: null,
  has: [],
  forwards: 'include',
  words: null,
  includeDeleted: false,
  includeService: false,
  after: null,
}

export interface ScanOptions {
  readonly channelId?: number
  readonly publishedSince?: number
  readonly batch: number
  /** Resumes after this post. */
  readonly after?: PostRef
  readonly signal?: AbortSignal
}

export interface Page<T, P> {
  readonly items: readonly T[]
  /** Where the next page starts; null at the end. */
  readonly next: P | null
}

/** What the indexer learns about a post by analysing it. */
export interface Derived extends PostRef {
  /** The revision that was analysed. When the post has a newer one, the result is ignored. */
  readonly revision: number
  readonly language: string | null
  /** How much this post says about its channel's language: score × length, or 0. */
  readonly languageWeight: number
  /** The language detected from the text alone, before the channel's language is considered. */
  readonly detectedLanguage: string | null
  /** Hashes of the text's terms (`termHashes`), for the word search within a channel. */
  readonly terms: readonly number[]
  /** What it has (`postHas`), for the filters of listings. */
  readonly has: readonly HasValue[]
}

/** How many of a channel's posts have which feature. */
export interface CountedFeatures {
  /** How many posts were counted. */
  readonly posts: number
  readonly features: readonly FeatureCount[]
}

export interface ChannelStats {
  readonly posts: number
  readonly posts30d: number
  readonly postsPerDay: number
  /** Over the newest 200 posts that show views. */
  readonly medianViews: number | null
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
  /** Posts on each of the last 30 UTC days, oldest first. */
  readonly daily: readonly number[]
  /** Posts of the last 30 days by UTC hour. */
  readonly hours: readonly number[]
  /** Like the lists of names below, at most ten entries, most frequent first. These two count posts of all time. */
  readonly topHashtags: readonly { readonly value: string; readonly count: number }[]
  readonly topDomains: readonly { readonly value: string; readonly count: number }[]
  /** Usernames it forwards from, most frequent first. */
  readonly forwardsFrom: readonly { readonly value: string; readonly count: number }[]
  /** Usernames of archived channels that forward from it, under any of its names. */
  readonly forwardedBy: readonly { readonly value: string; readonly count: number }[]
  /** Usernames of archived channels that forward and mention the same names, most shared first. */
  readonly similar: readonly string[]
  /** Those of the last 90 days on which the channel was read, oldest first. */
  readonly growth: readonly ChannelDay[]
}

export interface LanguageCount {
  readonly code: string
  readonly channels: number
  readonly posts30d: number
}

export interface ArchiveTotals {
  readonly channels: number
  readonly channelsByStatus: Readonly<Partial<Record<ChannelStatus, number>>>
  readonly posts: number
  readonly oldestPostAt: number | null
  readonly newestPostAt: number | null
  /** How often something was erased on request. Never stale, unlike the other totals: it tells the index to erase it too. */
  readonly removals: number
}

/** Channels, posts and their earlier versions. Every write is durable when its promise resolves. */
export interface Archive {
  /** Makes a channel known under a name, or returns the one that owns it. `removed`: it is in the opt-out register. */
  addChannel(
    name: string,
    options: {
      readonly at: number
      readonly status: 'queued' | 'imported'
      readonly title?: string
    },
  ): Promise<
    | { readonly outcome: 'added' | 'known'; readonly channel: Channel }
    | { readonly outcome: 'removed' }
  >
  /** A channel of this numeric id shows the name: whichever other channel has it as a former name has it no longer. */
  releaseName(
    name: string,
    shown: { readonly platformId: number; readonly at: number },
  ): Promise<void>
  /** By current name, or by a former name that no other channel owns; case is ignored. Undefined when unknown or removed. */
  channel(name: string): Promise<Channel | undefined>
  /** The same for many names, in the order asked; undefined where there is no channel. */
  channelsByName(names: readonly string[]): Promise<readonly (Channel | undefined)[]>
  /** In the order asked; unknown or removed ids are left out. */
  channelsById(ids: readonly number[]): Promise<readonly Channel[]>
  /**
   * Each order is total, so that paging by `next` shows no channel twice. Names are ordered by the code units of their
   * lower-case form, not by the rules of any language; ties are broken by id. After looking at many channels a listing returns
   * what it has found so far, which may be nothing, with a cursor. Sorted by relevance, words that very many channels contain
   * are looked for in the largest channels only.
   */
  channels(query: ChannelQuery): Promise<Page<Channel, string>>

  /**
   * Writes a reading in one transaction: new posts, new versions of changed ones, counters, deletions, profile, and the
   * changes for the index. Repeating it changes nothing. An import neither overwrites a crawled text nor undoes a deletion.
   */
  record(reading: Reading): Promise<ReadingResult>
  /** In the order asked; undefined where there is none. */
  posts(refs: readonly PostRef[]): Promise<readonly (ArchivedPost | undefined)[]>
  /** The post with that number, or the album that has it as a member. Includes deleted posts. */
  post(channelId: number, number: number): Promise<ArchivedPost | undefined>
  /**
   * Earlier versions, oldest first, without the current one. Of a post that was read before, those earlier than what was read:
   * it may have been edited since. `latest` limits them to the latest ones.
   */
  versions(of: ReadPost, latest?: number): Promise<readonly PostVersion[]>
  /**
   * Ordered by number, ascending or descending, so that paging is stable while posts arrive. After looking at many posts a
   * word search returns what it has found so far, which may be nothing, with a cursor.
   */
  listPosts(query: PostListQuery): Promise<Page<ArchivedPost, number>>
  /**
   * The numbers in [from, to] that are archived and not deleted, album members included, ascending. `newest` limits them to
   * the newest ones. Used to find deletions and gaps.
   */
  numbersBetween(
    channelId: number,
    from: number,
    to: number,
    newest?: number,
  ): Promise<readonly number[]>
  /**
   * All posts ordered by channel and number, batch by batch, for exports and for rebuilding the index. No state is kept
   * between batches, so a scan can resume after any post. Rejects with the signal's reason.
   */
  scan(options: ScanOptions): AsyncIterable<readonly ArchivedPost[]>

  /** Saves what was derived; ignores posts that are gone, deleted or at another revision. */
  saveDerived(batch: readonly Derived[]): Promise<void>

  /** Maintained as posts come and go: never a scan of the archive. All zero for an unknown channel. */
  stats(channelId: number, now: number): Promise<ChannelStats>
  /** Every language a post or channel has; most channels first. */
  languages(now: number): Promise<readonly LanguageCount[]>
  /** May be a minute behind; cheap enough for every request. */
  totals(): Promise<ArchiveTotals>
  /** Erases up to `limit` posts published before then, which leaves their channels incomplete; resolves to how many. */
  prune(publishedBefore: number, limit: number): Promise<number>
  /**
   * Replaces what another version of the analyzer derived for a channel as a whole: the words that it is found by, and its
   * counted features. False, with nothing written, if the channel does not have as many posts as were counted.
   */
  renewChannel(channelId: number, counted: CountedFeatures): Promise<boolean>
}

/** For adapters: the count to keep. The newer one wins; of the same moment, an exact count beats a rounded one. */
export function newerCount(old: Count | null, seen: Count | null): Count | null {
  if (!seen) return old
  if (!old || seen.asOf > old.asOf) return seen
  return seen.asOf === old.asOf && old.approx && !seen.approx ? seen : old
}
