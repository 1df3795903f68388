import type { ChannelProfile, UnavailableReason } from '../model/channel.ts'
import type { Post } from '../model/post.ts'

/** What a request is for; the budget gives each purpose its share. */
export type Purpose = 'visit' | 'gap' | 'live' | 'refresh' | 'discovery' | 'backfill'

/** The platform's own channel, which is as certain to exist as any. */
export const OWN_CHANNEL = 'telegram'

export interface ReadOptions {
  readonly purpose: Purpose
  readonly signal?: AbortSignal
}

/** One page of a channel's public preview, parsed. */
export interface ChannelPage {
  readonly profile: ChannelProfile
  /** Ascending by number. */
  readonly posts: readonly Post[]
  /** Every number that the page shows, ascending, including album members and posts that could not be read. */
  readonly numbers: readonly number[]
  /** The value of `before` for the page of older posts; null when this page offers none. */
  readonly before: number | null
  readonly fetchedAt: number
  readonly parserVersion: number
  /** What could not be read; each is counted, none is fatal. */
  readonly warnings: readonly string[]
}

/**
 * The outcome of a read. Expected outcomes are values, and the kind decides what to do:
 * - `page`: use it. A `profile.username` other than the one asked for means the channel was renamed or has several names.
 * - `empty`: the channel exists but shows no posts; ask again later, and believe it only when repeated.
 * - `unavailable`, `nobody`: a lasting state; come back slowly.
 * - `throttled`: the platform asks to slow down; wait, for the whole source.
 * - `broken`: an answer we cannot trust (cut off, an unknown layout, or one that contradicts the archive, which only the
 *   crawl can tell); change nothing.
 * - `unreachable`: the network or the server failed; retry with back-off.
 */
export type PageOutcome = { readonly kind: 'page'; readonly page: ChannelPage } | NoPage

export type NoPage =
  | { readonly kind: 'empty'; readonly profile: ChannelProfile | null }
  | {
      readonly kind: 'unavailable'
      readonly reason: UnavailableReason
      /** The platform's own words, where it gives any. */
      readonly detail: string | null
      readonly profile: ChannelProfile | null
    }
  | { readonly kind: 'nobody' }
  | {
      readonly kind: 'throttled'
      /**
       * `status`: 429, or 503 with a Retry-After. `generic`: the contact page even for a channel that is known to exist,
       * which is what a banned IP address gets.
       */
      readonly sign: 'status' | 'generic'
      readonly retryAfterMs: number | null
    }
  | { readonly kind: 'broken'; readonly what: 'truncated' | 'layout_unknown' | 'contradictory' }
  | {
      readonly kind: 'unreachable'
      readonly what: 'timeout' | 'network' | 'status' | 'too_large' | 'wrong_type'
      readonly detail: string
    }

export type PostOutcome =
  /** There is such a post; `platformId` is the numeric id of its channel, if the page tells it. */
  | { readonly kind: 'post'; readonly platformId: number | null }
  /** The platform says there is no such post. */
  | { readonly kind: 'deleted' }
  | NoPage

export type WordsOutcome =
  /** Empty if the page shows no post. For a post without words this is the channel's description: compare before use. */
  { readonly kind: 'words'; readonly text: string } | NoPage

/** Where channels are read from. Usernames are validated again here; besides them and numbers, no input reaches a URL. */
export interface Source extends AsyncDisposable {
  /** One page of a channel: the newest, or the one just before `before`. Rejects only with the signal's reason. */
  page(username: string, before: number | null, options: ReadOptions): Promise<PageOutcome>
  /** One post by its embed; used to confirm deletions. Rejects only with the signal's reason. */
  post(username: string, number: number, options: ReadOptions): Promise<PostOutcome>
  /** The first 1 000 or so characters of a post's text, from its own page: the only text of posts that only the app shows. */
  words(username: string, number: number, options: ReadOptions): Promise<WordsOutcome>
}
