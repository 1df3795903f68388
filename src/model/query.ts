/** A search as data: what `text/query/read-query.ts` makes of a string, and what every index answers. */

import type { IncompleteReason } from './incomplete.ts'

export const HAS_VALUES = [
  'photo',
  'video',
  'gif',
  'audio',
  'voice',
  'document',
  'poll',
  'sticker',
  'location',
  'link',
  'media',
] as const
export type HasValue = (typeof HAS_VALUES)[number]

export const IS_VALUES = ['forward', 'reply', 'edited'] as const
export type IsValue = (typeof IS_VALUES)[number]

/** One leaf or branch of the query. `start` and `end` are UTF-16 positions in the string it came from. */
export type QueryNode =
  | (Leaf & { readonly kind: 'word' | 'exact' | 'prefix' | 'phrase'; readonly text: string })
  /** A phrase in typographic quotation marks. Pasted text may not mean its marks, so posts with the words apart match too. */
  | (Leaf & { readonly kind: 'quote'; readonly text: string })
  /** Lower case, without the sign. */
  | (Leaf & { readonly kind: 'hashtag' | 'mention' | 'cashtag'; readonly value: string })
  /** A channel's name in lower case, a primary subtag, a host or an address as `text/urls.ts` writes them. */
  | (Leaf & { readonly kind: 'channel' | 'lang' | 'domain' | 'url'; readonly value: string })
  | (Leaf & { readonly kind: 'has'; readonly value: HasValue })
  | (Leaf & { readonly kind: 'is'; readonly value: IsValue })
  /** Bounds occur at the top level only, where they narrow the whole query. */
  | (Leaf & { readonly kind: 'after' | 'before'; readonly at: number; readonly text: string })
  | (Leaf & { readonly kind: 'min_views'; readonly value: number })
  | { readonly kind: 'not'; readonly node: QueryNode }
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly QueryNode[] }

interface Leaf {
  readonly start: number
  readonly end: number
  /** A tag, name, address or emoji in running text: optional like a word, so posts without it may follow those with it. */
  readonly wanted?: true
}

export const SORTS = ['relevance', 'newest', 'oldest', 'views'] as const
export type Sort = (typeof SORTS)[number]

export const FACETS = ['day', 'hour', 'channel', 'lang', 'domain', 'hashtag', 'has'] as const
export type FacetName = (typeof FACETS)[number]

export type Inclusion = 'include' | 'exclude' | 'only'

/** A list filter and its `exclude_` twin: values of one list are alternatives. */
export interface ListFilter<T = string> {
  readonly any: readonly T[]
  readonly none: readonly T[]
}

/** Filters given as parameters; names are already resolved and folded. */
export interface SearchFilters {
  /** Store ids of channels. An `any` of only unknown names is `[-1]`, which matches nothing. */
  readonly channel: ListFilter<number>
  readonly lang: ListFilter
  readonly hashtag: ListFilter
  /** Usernames, lower case. */
  readonly mention: ListFilter
  /** Host names, lower case; subdomains match. */
  readonly domain: ListFilter
  /** Normalised addresses. */
  readonly url: ListFilter
  /** Usernames, lower case. */
  readonly forwardedFrom: ListFilter
  /** All of them must hold. */
  readonly has: readonly HasValue[]
  readonly forwards: Inclusion
  readonly replies: Inclusion
  readonly edited: Inclusion
  readonly minViews: number | null
  readonly minReactions: number | null
  readonly minSubscribers: number | null
}

export interface SearchQuery {
  /** Null when the query has filters but no words. */
  readonly root: QueryNode | null
  readonly filters: SearchFilters
  readonly sort: Sort
  readonly match: 'stem' | 'exact'
  /** Every word is required: no continuation with posts that hold only some of them. */
  readonly strict: boolean
  readonly collapse: boolean
  /** Already clipped to the last 30 days; `since` inclusive, `until` exclusive. */
  readonly since: number
  readonly until: number
  /** Only posts first captured at or after this time. */
  readonly arrivedSince: number | null
  readonly facets: readonly FacetName[]
  readonly limit: number
  /** Where the page before ended; null for the first page. */
  readonly after: SearchPosition | null
}

/** Where a walk stands, small enough for a cursor; each index makes and reads its own. */
export type SearchPosition = readonly (number | string)[]

export interface SearchHit {
  readonly channelId: number
  readonly number: number
  readonly score: number
  readonly matched: 'all' | 'some'
  /** The query's words the post does not hold, as typed. */
  readonly missing: readonly string[]
  /** Set when the search collapsed duplicates. */
  readonly cluster: Cluster | null
}

/** A group of near-identical or forwarded posts, over the whole window. */
export interface Cluster {
  readonly id: string
  readonly size: number
  readonly channels: number
  readonly first: { readonly channelId: number; readonly number: number }
}

export interface FacetValue {
  /** `channel` facets hold the store's channel id as a string. */
  readonly value: string
  readonly count: number
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** Posts that match strictly, counted before collapsing. */
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' }
  readonly facets: Partial<Record<FacetName, readonly FacetValue[]>>
  readonly next: SearchPosition | null
  readonly relaxed: boolean
  /** False when the work budget ended the search early; `reason` says which limit was reached. */
  readonly complete: boolean
  readonly reason: IncompleteReason | null
  /** When no post holds every word: the words that no post holds at all, and what may have been meant. */
  readonly corrections: readonly Correction[]
}

/** The correction of one word; `start` and `end` are its positions in the query. */
export interface Correction {
  readonly start: number
  readonly end: number
  /** As typed. */
  readonly word: string
  /** Folded, as posts hold it. */
  readonly nearest: string
}
