/**
 * What one search may cost: fixed numbers of rows and postings, never a time, so that the same query gives the same
 * answer on a slow day. Together they keep the costliest search on a million posts at some 50 ms of one core.
 */
export interface SearchLimits {
  /** Totals are exact up to this number. */
  readonly total: number
  /** Matches visited one by one, for facets and for the order by views. */
  readonly visits: number
  /** Postings that an engine may decode. A post that is deleted or refused by its columns is charged as one. */
  readonly postings: number
  /** Sizes of the groups of candidates ranked together: the best by prior, then the next. Later pages reach them all. */
  readonly tiers: readonly number[]
  /** Words of a relaxed query that are looked up, rarest first. */
  readonly relaxedWords: number
  /** Newest postings read, for all these words together. */
  readonly relaxedPostings: number
  /** Postings that each of these words gets at least. */
  readonly relaxedLeast: number
  readonly relaxedCandidates: number
  /** Bound on candidates times the query's units: a query of many words ranks fewer candidates. */
  readonly relaxedLooks: number
  /** Postings and positions decoded to find where candidates hold the words; beyond it, positions count as unknown. */
  readonly placesDecoding: number
  /** A word in more than this share of the posts says too little to be looked up. */
  readonly commonShare: number
  /** Words that prefixes may stand for, all together and each; any further prefix still gets `expansionLeast`. */
  readonly expansion: number
  readonly expansionEach: number
  readonly expansionLeast: number
  /** Words looked at to find the most frequent ones of a prefix; each prefix gets half of what is left. */
  readonly expansionLook: number
  /** Members of a group looked at to find the earliest one that matches: of one group, and of all groups in one search. */
  readonly collapseLooks: number
  readonly collapseLooksInAll: number
  /** Words that a prefix at the end of a phrase stands for; each of them costs a look at positions. */
  readonly phraseEndings: number
  readonly facetValues: number
  /** Hashtags or hosts whose names are looked up to order equally frequent ones. */
  readonly facetNames: number
}

export const SEARCH_LIMITS: SearchLimits = {
  total: 10_000,
  visits: 32_000,
  postings: 800_000,
  tiers: [256, 744],
  relaxedWords: 10,
  relaxedPostings: 20_000,
  relaxedLeast: 300,
  relaxedCandidates: 300,
  relaxedLooks: 4_800,
  placesDecoding: 200_000,
  commonShare: 0.1,
  expansion: 512,
  expansionEach: 256,
  expansionLeast: 8,
  expansionLook: 4_000,
  collapseLooks: 64,
  collapseLooksInAll: 1_500,
  phraseEndings: 64,
  facetValues: 20,
  facetNames: 512,
}
