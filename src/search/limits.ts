/**
 * What one search may cost, as fixed numbers of rows and postings and never as time, so that the same query gives the
 * same answer on a slow day. Together they keep the costliest search on a million posts at some 50 ms of one core.
 */
export interface SearchLimits {
  /** Totals are exact up to here. */
  readonly total: number
  /** Matches looked at one by one, for facets and the views order. */
  readonly visits: number
  /** Postings an engine may decode; a post that is gone or that its columns refuse counts as one. */
  readonly postings: number
  /** Candidates ranked together: the best by prior, then those that follow. A walk reaches all of them. */
  readonly tiers: readonly number[]
  /** Words of a relaxed query that are looked up, the rarest first. */
  readonly relaxedWords: number
  /** Their newest postings, of all words together. */
  readonly relaxedPostings: number
  /** What each of them gets at least. */
  readonly relaxedLeast: number
  readonly relaxedCandidates: number
  /** The same times the words each is looked at for: a query of many gets fewer. */
  readonly relaxedLooks: number
  /** Postings and positions decoded to find where candidates hold the words; where it ends, a word stands somewhere. */
  readonly placesDecoding: number
  /** A word in more than this share of the posts says too little to be looked up. */
  readonly commonShare: number
  /** Words the prefixes of a query may stand for, all together and each; a further prefix still gets a few. */
  readonly expansion: number
  readonly expansionEach: number
  readonly expansionLeast: number
  /** Words looked at to find the most frequent of a prefix: half of what is left for each. */
  readonly expansionLook: number
  /** Members of a group looked at to find the earliest that matches, of one group and of all in one search. */
  readonly collapseLooks: number
  readonly collapseLooksInAll: number
  /** Words a prefix at the end of a phrase stands for, where each costs a look at positions. */
  readonly phraseEndings: number
  readonly facetValues: number
  /** Hashtags or hosts whose names are looked up to order those that are equally frequent. */
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
