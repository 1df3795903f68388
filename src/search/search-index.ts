import { AppError } from '../model/errors.ts'
import type { Cluster, HasValue, SearchQuery, SearchResult } from '../model/query.ts'
import type { PostRef } from '../model/post.ts'
import { DAY_MS } from '../model/time.ts'

/** A post as an index takes it: terms made by our own analyzer, facts for filters, numbers for columns. */
export interface IndexDocument extends PostRef {
  readonly revision: number
  readonly publishedAt: number
  readonly firstCapturedAt: number
  readonly language: string | null
  /** Folded words in text order, and a stem for each. */
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  /** Those of `toks` whose stem is another than their bare letters have. */
  readonly accented: readonly string[]
  /** How many of the first words stand in the first line. */
  readonly firstLineToks: number
  /** Of the text: `#tag`, `$btc`, `@name`, emoji, `site:host`. */
  readonly entities: readonly string[]
  readonly hashtags: readonly string[]
  /** Usernames, lower case. */
  readonly mentions: readonly string[]
  /** Host names without `www.`; parent domains are the index's own affair. */
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
  /** The group of posts that say the same; null for a post that is alone. An index groups nothing by itself. */
  readonly group: number | null
  /** Another of the group is earlier. */
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

/** What the index holds, told in every answer. */
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
  /** False for an index begun empty, until a rebuild has put in what the store held: it then lacks older posts. */
  readonly complete: boolean
  /** It is not filled yet, and one that was made with other rules for words is there and whole: processes that search that one had better stay. */
  readonly isAwaited: boolean
  /** A rebuild is under way and this generation serves meanwhile; to a writer also one that another has left for it to go on with. */
  readonly rebuilding: boolean
  /** What the archive's count of removals was when the files were last rid of them: words of later ones may be there. */
  readonly removals: number
  /** The latest moment before which posts were ever dropped as too old: more than now allows means the clock was wrong. */
  readonly droppedBefore: number
  readonly bytes: number
  /** Why searches are refused just now: the index was lost or is damaged. Null while they are answered. */
  readonly problem: string | null
}

/** Of an index that nothing was put into yet. */
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
  droppedBefore: 0,
  bytes: 0,
  problem: null,
}

/** The answer where there is no index yet. */
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

/** Finding posts. Answers come from worker threads; a call never blocks the event loop. */
export interface SearchIndex extends AsyncDisposable {
  /** How many searches this host works on at once; more are taken, and wait. */
  readonly capacity: number
  /**
   * Where an answer says `complete`, every adapter finds the same posts, counts and facets, in the same order by time and by
   * views; where a bound was met each may stop elsewhere, and says so. By relevance one ranker orders what each adapter thinks
   * worth ranking. The three suites in `contract/` hold adapters to it. Rejects with the signal's reason when aborted.
   */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchResult>
  /** The group of near-identical posts this one belongs to, earliest first, at most `limit` members; undefined when alone. */
  duplicates(
    ref: PostRef,
    limit: number,
  ): Promise<{ readonly cluster: Cluster; readonly members: readonly PostRef[] } | undefined>
  state(): Promise<IndexState>
}

/** What changes in an index at once, in this order; what is left out changes nothing. */
export interface IndexBatch {
  /**
   * Adds or replaces; a document with a lower revision than the one held is ignored, and of one that says the same only its
   * counters and its place among copies are taken.
   */
  readonly puts?: readonly IndexDocument[]
  /** Takes posts out of the answers. Their words may stay in the files until their week is over. */
  readonly removals?: readonly PostRef[]
  readonly counters?: readonly CounterUpdate[]
  readonly channels?: readonly ChannelUpdate[]
  /** Takes out all posts of these channels. */
  readonly removedChannels?: readonly number[]
}

/** Filling an index. One writer at a time; readers in this and other processes see a batch once its promise resolves. */
export interface IndexWriter extends AsyncDisposable {
  /** Durable when resolved. The same batch again changes nothing, so whoever is not sure applies it again. */
  apply(batch: IndexBatch): Promise<void>
  /** Drops what is older than the window; cheap, called now and then. */
  expire(olderThan: number): Promise<void>
  state(): Promise<IndexState>
  /** Looks at a little of the files, rejects with an `IndexDamagedError` where they are not as they were written. Call often. */
  check(): Promise<void>
  /**
   * Where words of what was taken out can be had out of the files without a rebuild: a step towards it, to be called now and
   * then. Resolves to true once those of all that was taken out before the first step are gone; the archive had seen so many
   * removals then.
   */
  readonly erase?: (removals: number) => Promise<boolean>
  /**
   * Starts an empty generation beside this one, to be filled from an archive that has seen so many removals; `swap` makes
   * it the one that serves and drops the old. `mayGoOn`: if one was left half filled and nothing was applied since that it was
   * not told, it is that one.
   */
  startGeneration(
    removals: number,
    options?: { readonly mayGoOn?: boolean },
  ): Promise<GenerationWriter>
}

/** Fills a generation that does not serve yet. */
export interface GenerationWriter extends IndexWriter {
  swap(): Promise<void>
  /** Where an earlier filling stopped: all posts up to this one are in. */
  readonly reached?: PostRef | undefined
  /** All posts up to this one are in: kept for whoever has to go on. Left out where that is quicker to begin anew. */
  readonly reach?: (post: PostRef) => Promise<void>
}

/** For a writer whose index may have to be begun anew. */
export interface Beginning {
  /** It was filled before: begun anew it lacks posts, and refuses searches until a rebuild has put them in. */
  readonly isExpected?: boolean
  /** Told what was damaged, and set aside, or lost; null where there is no index at all, as beside a restored backup. */
  readonly onDamaged?: (why: string | null) => void
  /** Told of a post, `channel:number`, that the engine will never take, and why; it is left out. Files take all. */
  readonly onRefused?: (id: string, why: string) => void
  /** Who opens it no longer wants it: an engine that does not answer is not waited for. */
  readonly signal?: AbortSignal
}

/** Posts older than this are in the archive only. */
export const WINDOW_DAYS = 30
export const WINDOW_MS = WINDOW_DAYS * DAY_MS

/** Another process fills the index; whoever meets this can stand by or leave the work to it. */
export class IndexLockedError extends Error {
  override name = 'IndexLockedError'
}

/** Thrown to a writer that was taken for dead because it showed no life for too long, and replaced. */
export class FencedOffError extends Error {
  override name = 'FencedOffError'

  constructor() {
    super('another process writes the index now')
  }
}

/** Why an index is refused that was begun in the place of one that could not be used. */
export const LACKS_POSTS = 'no index was there that could be used'

/**
 * The files are not as they were written, or posts that were put in are gone with them. Whoever opens a writer gets an
 * empty index then, to be filled from the archive; until that is done searches are refused with this.
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
