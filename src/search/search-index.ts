import { AppError } from '../model/errors.ts'
import type { Cluster, HasValue, SearchQuery, SearchResult } from '../model/query.ts'
import type { PostRef } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'

/** A post as an index takes it: terms from our own analyzer, facts for filters, numbers for columns. */
export interface IndexDocument extends PostRef {
  readonly revision: number
  readonly publishedAt: number
  readonly firstCapturedAt: number
  readonly language: string | null
  /** Folded words in text order, and a stem for each of them. */
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  /** The words of `toks` that are accented in the post and therefore have another stem than their bare letters. */
  readonly accented: readonly string[]
  /** How many words the first line has. */
  readonly firstLineToks: number
  /** Entities of the text: `#tag`, `$btc`, `@name`, emoji, `site:host`. */
  readonly entities: readonly string[]
  readonly hashtags: readonly string[]
  /** Usernames, lower case. */
  readonly mentions: readonly string[]
  /** Host names without `www.`; the index derives parent domains itself. */
  readonly domains: readonly string[]
  /** Normalised addresses. */
  readonly urls: readonly string[]
  /** The forwarded channel's username, lower case. */
  readonly forwardedFrom: string | null
  readonly isForward: boolean
  readonly isReply: boolean
  readonly isEdited: boolean
  readonly has: readonly HasValue[]
  readonly views: number
  readonly reactions: number
  readonly subscribers: number
  /** The group of posts that say the same; null for a post that has no duplicates. An index does no grouping of its own. */
  readonly group: number | null
  /** True if another post of the group is earlier. */
  readonly isCopy: boolean
}

export interface CounterUpdate extends PostRef {
  readonly views: number
  readonly reactions: number
}

export interface ChannelUpdate {
  readonly channelId: number
  readonly subscribers: number
}

/** The state of an index, included in every answer. */
export interface IndexState {
  /** Which adapter answers, such as `embedded`. */
  readonly kind: string
  readonly posts: number
  readonly channels: number
  readonly oldestPostAt: number | null
  readonly newestPostAt: number | null
  readonly analyzerVersion: number
  /** Changes with every rebuild. */
  readonly generation: number
  /** False for an index that was started empty, and lacks older posts, until a rebuild has put in all the store held. */
  readonly complete: boolean
  /**
   * True if this index is not filled yet while a complete one with other analysis rules exists: processes that search
   * that one should not be replaced yet.
   */
  readonly isAwaited: boolean
  /** A rebuild is under way, or was left half done, to be resumed; this generation serves meanwhile. */
  readonly rebuilding: boolean
  /**
   * The archive's count of removals at the last rebuild: words of posts removed later may still be in the files. Null where
   * they leave the files without one.
   */
  readonly removals: number | null
  readonly bytes: number
  /** Why searches are refused at the moment: the index was lost or is damaged. Null while searches are answered. */
  readonly problem: string | null
}

/** The state of an index that nothing was put into yet. */
export const EMPTY_STATE: Omit<IndexState, 'kind'> = {
  posts: 0,
  channels: 0,
  oldestPostAt: null,
  newestPostAt: null,
  analyzerVersion: 0,
  generation: 0,
  complete: false,
  isAwaited: false,
  rebuilding: false,
  removals: 0,
  bytes: 0,
  problem: null,
}

/** The answer when there is no index yet. */
export const NO_INDEX: SearchResult = {
  hits: [],
  total: { value: 0, relation: 'gte' },
  facets: {},
  next: null,
  relaxed: false,
  complete: false,
  reason: 'no_index',
  corrections: [],
}

/** The port for finding posts. Answers come from worker threads; a call never blocks the event loop. */
export interface SearchIndex extends AsyncDisposable {
  /** How many searches this host runs at once; further ones are accepted and queue. */
  readonly capacity: number
  /**
   * Where an answer says `complete`, every adapter finds the same posts, counts and facets, in the same order by time and
   * by views. Where a limit was reached, adapters may stop at different points, and the answer says so. By relevance, one
   * ranker orders the candidates that each adapter selects. The three suites in `contract/` hold adapters to this.
   * Rejects with the signal's reason when aborted.
   */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchResult>
  /** The group of near-identical posts, earliest first, at most `limit` members; undefined if the post has no duplicates. */
  duplicates(
    ref: PostRef,
    limit: number,
  ): Promise<{ readonly cluster: Cluster; readonly members: readonly PostRef[] } | undefined>
  state(): Promise<IndexState>
}

/** Changes that are applied to an index together, in this order; a field that is left out changes nothing. */
export interface IndexBatch {
  /**
   * Adds or replaces. A document with a lower revision than the one held is ignored. If the content is unchanged, only
   * the counters and the place among copies are taken.
   */
  readonly puts?: readonly IndexDocument[]
  /** Removes posts from answers. Their words may stay in the files until their week is dropped. */
  readonly removals?: readonly PostRef[]
  readonly counters?: readonly CounterUpdate[]
  readonly channels?: readonly ChannelUpdate[]
  /** Removes all posts of these channels. */
  readonly removedChannels?: readonly number[]
}

/**
 * The port for filling an index. Opening it fences off whoever has it open: a role in the store lets one process do so at a
 * time. Readers in any process see a batch once its promise resolves.
 */
export interface IndexWriter extends AsyncDisposable {
  /** The batch is durable when the promise resolves. Applying it again changes nothing, so a caller in doubt may retry. */
  apply(batch: IndexBatch): Promise<void>
  /** Drops the weeks that lie entirely before this time; cheap, called now and then. */
  expire(olderThan: number): Promise<void>
  state(): Promise<IndexState>
  /** Checks a small part of the files; rejects with `IndexDamagedError` if they are not as written. Call it often. */
  check(): Promise<void>
  /**
   * Starts an empty generation beside this one, to be filled from an archive that counts `removals` removals; `swap`
   * makes it the serving one and drops the old. With `mayResume`, a half-filled generation is resumed instead, if it was
   * told of everything applied since.
   */
  startGeneration(
    removals: number,
    options?: { readonly mayResume?: boolean },
  ): Promise<GenerationWriter>
}

/** Fills a generation that does not serve yet. */
export interface GenerationWriter extends IndexWriter {
  swap(): Promise<void>
  /** Where an earlier attempt stopped: all posts up to this one are in. */
  readonly reached?: PostRef | undefined
  /** Records that all posts up to this one are in, for another writer to resume. Absent where starting again is quicker. */
  readonly reach?: (post: PostRef) => Promise<void>
}

/** Options for a writer whose index may have to be started again. */
export interface IndexWriterOptions {
  /** True if the index was filled before: started again, it lacks posts and refuses searches until a rebuild is done. */
  readonly isExpected?: boolean
  /** Called with what was damaged and quarantined, or lost; with null if there is no index, as beside a restored backup. */
  readonly onDamaged?: (why: string | null) => void
  /** Called with a post (`channel:number`) that the engine will never accept, and why; it is left out. Files accept all. */
  readonly onRefused?: (id: string, why: string) => void
  /**
   * Called with a part of the index (its name) that could not be merged, and why: searches take longer than they need, and
   * removed words stay in its files. Files are always merged.
   */
  readonly onUnmerged?: (part: string, why: string) => void
  /** Aborted when the caller no longer wants the writer, so that an engine that does not answer is not waited for. */
  readonly signal?: AbortSignal
}

/** Older posts are in the archive only. */
export const WINDOW_DAYS = 30
export const WINDOW_MS = WINDOW_DAYS * DAY_MS

/** Thrown to a writer that was paused for too long and was replaced, or has to be opened anew for another reason. */
export class FencedOffError extends Error {
  override name = 'FencedOffError'

  constructor(why = 'another process writes the index now') {
    super(why)
  }
}

/** The engine answers, but does not do what it is asked for: a template, a limit or a mapping of it was set by others. */
export class IndexRefusedError extends AppError {
  override name = 'IndexRefusedError'

  constructor(why: string) {
    super('unavailable', why, {
      detail: 'the index does not answer what it is asked',
      retryAfterS: 5,
      extra: { reason: 'index_unavailable' },
    })
  }
}

/** Why searches are refused on an index that was started in place of an unusable one. */
export const LACKS_POSTS = 'no index was there that could be used'

/**
 * The files differ from what was written, or posts that were put in are gone with them. Opening a writer then starts an
 * empty index, to be filled from the archive; until that is done, searches are refused with this error.
 */
export class IndexDamagedError extends AppError {
  override name = 'IndexDamagedError'
  readonly why: string

  constructor(why: string) {
    super('unavailable', `the index is built anew from the archive: ${why}`, {
      retryAfterS: 5,
      extra: { reason: 'index_rebuilding' },
    })
    this.why = why
  }
}
