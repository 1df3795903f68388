import type { Channel, ChannelDay, ChannelProfile, ChannelStatus } from '../model/channel.ts'
import type { Count } from '../model/count.ts'
import type { ArchivedPost, Capture, Post, PostRef, PostVersion } from '../model/post.ts'
import type { HasValue, Inclusion } from '../model/query.ts'

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
  /** Not written because they are older than what is kept. */
  readonly tooOld: number
  /** Posts that were parts of an album, which now shows them. */
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
  /** `next` of the page before; only the adapter understands it. */
  readonly after: string | null
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

/** Words that a post must hold, all of them. */
export interface WordSearch {
  /** For each word the hashes (`termHash`) of the terms that satisfy it, any one of them. */
  readonly hashes: readonly (readonly number[])[]
  /** Whether the text has them. Asked of posts whose hashes match, which may be chance, and of those not analysed yet. */
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
  /** The last number of the page before. */
  readonly after: number | null
}

/** What a channel shows, newest first. */
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
  /** The last post of an earlier scan. */
  readonly after?: PostRef
  readonly signal?: AbortSignal
}

export interface Page<T, P> {
  readonly items: readonly T[]
  /** Where the next page starts; null at the end. */
  readonly next: P | null
}

/** What the indexer learns of a post by analysing it. */
export interface Derived extends PostRef {
  /** The revision analysed; ignored when the post has moved on. */
  readonly revision: number
  readonly language: string | null
  /** How much this post says about its channel's language: score × length, 0 when nothing. */
  readonly languageWeight: number
  /** The language the text itself shows, before its channel was asked. */
  readonly detectedLanguage: string | null
  /** Hashes of the text's terms (`termHashes`), for the word search within a channel. */
  readonly terms: readonly number[]
}

export interface ChannelStats {
  readonly posts: number
  readonly posts30d: number
  readonly postsPerDay: number
  /** Of the newest 200 posts that show views. */
  readonly medianViews: number | null
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
  /** Posts on each of the last 30 UTC days, oldest first. */
  readonly daily: readonly number[]
  /** Posts of the last 30 days by UTC hour. */
  readonly hours: readonly number[]
  /** Lists hold at most ten entries, most first; these two count posts of all time. */
  readonly topHashtags: readonly { readonly value: string; readonly count: number }[]
  readonly topDomains: readonly { readonly value: string; readonly count: number }[]
  /** Usernames it forwards from, most first. */
  readonly forwardsFrom: readonly { readonly value: string; readonly count: number }[]
  /** Usernames of archived channels that forward it, under any of its names. */
  readonly forwardedBy: readonly { readonly value: string; readonly count: number }[]
  /** Usernames of archived channels that forward and mention the same names, most shared first. */
  readonly similar: readonly string[]
  /** Of the last 90 days those on which it was read, oldest first. */
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
  /** Never behind: how often something was taken out at somebody's wish. Whoever keeps words elsewhere learns of it here. */
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
  /** By current name or, while nobody else owns it, a former one; any case. Undefined when unknown or removed. */
  channel(name: string): Promise<Channel | undefined>
  /** The same for many, in the order asked; undefined where there is none. */
  channelsByName(names: readonly string[]): Promise<readonly (Channel | undefined)[]>
  /** In the order asked; unknown or removed ids are left out. */
  channelsById(ids: readonly number[]): Promise<readonly Channel[]>
  /**
   * Each order is total, so that a walk by `next` shows no channel twice. Names are ordered by the code units of their lower-case
   * form, by no language's rules; equals by id. A listing that has looked at many channels gives what it has found, which may
   * be nothing, and where to go on; by relevance, words that very many channels have are looked for in the largest.
   */
  channels(query: ChannelQuery): Promise<Page<Channel, string>>

  /**
   * Writes a reading in one transaction: new posts, new versions of changed ones, counters, deletions, profile,
   * and the changes for the index. Repeating it changes nothing. An import never overwrites a crawled text, nor undoes a deletion.
   */
  record(reading: Reading): Promise<ReadingResult>
  /** In the order asked; undefined where there is none. */
  posts(refs: readonly PostRef[]): Promise<readonly (ArchivedPost | undefined)[]>
  /** The post of that number, or the album that has it as a member. Deleted ones too. */
  post(channelId: number, number: number): Promise<ArchivedPost | undefined>
  /** Earlier versions, oldest first, without the current one; the latest so many, or all. */
  versions(ref: PostRef, latest?: number): Promise<readonly PostVersion[]>
  /**
   * By number, in either order, so that a walk is stable while posts arrive. A word search that has looked at many posts gives
   * what it has found, which may be nothing, and where to go on.
   */
  listPosts(query: PostListQuery): Promise<Page<ArchivedPost, number>>
  /**
   * The numbers archived and not deleted in [from, to], album members included, ascending; the newest so many, or all. For
   * finding deletions and gaps.
   */
  numbersBetween(
    channelId: number,
    from: number,
    to: number,
    newest?: number,
  ): Promise<readonly number[]>
  /**
   * Every post by channel and number, batch by batch, for exports and rebuilding the index. It goes on after any post of it:
   * no state is kept between batches. Rejects with the signal's reason.
   */
  scan(options: ScanOptions): AsyncIterable<readonly ArchivedPost[]>

  /** Keeps language and terms; ignores posts that are gone, deleted or of another revision. */
  saveDerived(batch: readonly Derived[]): Promise<void>

  /** Maintained as posts come and go: never a scan of the archive. All zero for an unknown channel. */
  stats(channelId: number, now: number): Promise<ChannelStats>
  /** Every language a post or channel has; most channels first. */
  languages(now: number): Promise<readonly LanguageCount[]>
  /** May be a minute behind; cheap enough for every request. */
  totals(): Promise<ArchiveTotals>
  /** Deletes posts published before then, which leaves their channels incomplete; resolves to how many. */
  prune(publishedBefore: number, limit: number): Promise<number>
  /**
   * After an upgrade that finds other things in the same texts: makes anew what channels have, what filters of listings look at,
   * and the words that channels are found by. Goes on for about so many posts a call, by one caller at a time; resolves to 0 when
   * nothing is left.
   */
  recount(limit: number): Promise<number>
}

/** For adapters: which count replaces which. A newer reading wins; an exact one beats a rounded one of the same moment. */
export function newerCount(old: Count | null, seen: Count | null): Count | null {
  if (!seen) return old
  if (!old || seen.asOf > old.asOf) return seen
  return seen.asOf === old.asOf && old.approx && !seen.approx ? seen : old
}
