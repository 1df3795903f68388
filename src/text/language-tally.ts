/**
 * What a channel's posts say of its language, and what the channel then says of a post. Sums only, in any order,
 * so that a rebuilt index comes back equal.
 */
interface LanguageTally {
  /** Posts counted, those without a language too. */
  readonly posts: number
  /** Weight by language: score × letters, at most 200 letters a post. */
  readonly weights: Readonly<Record<string, number>>
}

/** What `detect` gives for one post. */
export interface PostLanguage {
  readonly code: string | null
  readonly score: number
  readonly letters: number
}

interface LanguageShare {
  readonly code: string
  readonly share: number
}

export const EMPTY_TALLY: LanguageTally = { posts: 0, weights: {} }

const MAX_LETTERS = 200
/** Two or three sentences: less says nothing of a channel. */
const MIN_WEIGHT = 100
/** Ten posts settle a channel of one language. */
const SETTLED_POSTS = 10
const SETTLED_SHARE = 0.9
const SECOND_LANGUAGE_SHARE = 0.2

const SHORT_LETTERS = 20
const LONG_LETTERS = 40
const SURE_SCORE = 0.7
const VERY_SURE_SCORE = 0.9
const MIXED_SHARE = 0.8

export function addToTally(tally: LanguageTally, post: PostLanguage): LanguageTally {
  if (post.code === null) return { posts: tally.posts + 1, weights: tally.weights }
  const weight = post.score * Math.min(post.letters, MAX_LETTERS)
  const sum = (tally.weights[post.code] ?? 0) + weight
  return { posts: tally.posts + 1, weights: { ...tally.weights, [post.code]: sum } }
}

/** Share of each language, largest first, those under one per cent left out. */
export function languageShares(tally: LanguageTally): readonly LanguageShare[] {
  const total = Object.values(tally.weights).reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return []
  return Object.entries(tally.weights)
    .map(([code, weight]) => ({ code, share: weight / total }))
    .filter(({ share }) => share >= 0.01)
    .sort((a, b) => b.share - a.share || (a.code < b.code ? -1 : 1))
}

/** The channel's language, or null while too little was read. */
export function majorityLanguage(tally: LanguageTally): LanguageShare | null {
  const first = languageShares(tally)[0]
  return first && (tally.weights[first.code] ?? 0) >= MIN_WEIGHT ? first : null
}

/** True once a channel plainly has one language: its posts then need only be checked with `confirms`. */
export function isSettled(tally: LanguageTally): boolean {
  const majority = majorityLanguage(tally)
  return majority !== null && tally.posts >= SETTLED_POSTS && majority.share >= SETTLED_SHARE
}

/** The second language of a channel that has two. */
export function secondLanguage(tally: LanguageTally): string | null {
  const second = languageShares(tally)[1]
  return second && second.share > SECOND_LANGUAGE_SHARE ? second.code : null
}

/**
 * The language a post is filed under: its channel's, unless the post is long and sure enough to know better. In a
 * channel of several languages a shorter post may, if it is very sure.
 */
export function effectiveLanguage(
  post: PostLanguage,
  channel: LanguageShare | null,
): string | null {
  if (channel === null || post.code === channel.code) return post.code
  if (post.code === null || post.letters < SHORT_LETTERS) return channel.code
  if (post.letters >= LONG_LETTERS && post.score >= SURE_SCORE) return post.code
  return channel.share < MIXED_SHARE && post.score >= VERY_SURE_SCORE ? post.code : channel.code
}
