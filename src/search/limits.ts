/**
 * What one search may cost, as fixed numbers of rows and postings and never as time, so that the same query gives the
 * same answer on a slow day. Together they keep the costliest search on a million posts at some 50 ms of one core.
 */
export const LIMITS = {
  /** Totals are exact up to here. */
  total: 10_000,
  /** Matches looked at one by one, for facets and the views order. */
  visits: 32_000,
  /** Postings an engine may decode; a post that is gone or that its columns refuse counts as one. */
  postings: 800_000,
  /** Candidates ranked together: the best by prior, then those that follow. A walk reaches all of them. */
  tiers: [256, 744],
  /** Words of a relaxed query that are looked up, the rarest first. */
  relaxedWords: 10,
  /** Their newest postings, of all words together. */
  relaxedPostings: 20_000,
  /** What each of them gets at least. */
  relaxedLeast: 300,
  relaxedCandidates: 300,
  /** The same times the words each is looked at for: a query of many gets fewer. */
  relaxedLooks: 4_800,
  /** What finding out how often each holds each word may decode: beyond it they count as holding the rest often. */
  relaxedDecoding: 80_000,
  /** Of these so many are read and ranked at a time, until no other can reach the page. */
  relaxedRead: 40,
  /** A word in more than this share of the posts says too little to be looked up. */
  commonShare: 0.1,
  /** Words the prefixes of a query may stand for, all together and each; a further prefix still gets a few. */
  expansion: 512,
  expansionEach: 256,
  expansionLeast: 8,
  /** Words looked at to find the most frequent of a prefix: half of what is left for each. */
  expansionLook: 4_000,
  facetValues: 20,
} satisfies Readonly<Record<string, number | readonly number[]>>
