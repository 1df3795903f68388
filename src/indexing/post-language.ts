import { channelLanguage } from '../model/channel-language.ts'
import type { DetectedLanguage, LanguageDetector } from '../text/language.ts'

/** So many letters, and so sure, and a post speaks against its channel's language. */
const OWN_LETTERS = 40
const OWN_SCORE = 0.9
/** What one post can add to its channel's language, in letters. */
const MAX_WEIGHT = 200

/**
 * What a text alone says about its language. It is the same whenever it is read, so that what a channel speaks does not depend on
 * when, in which order and how often its posts were.
 */
export interface Spoken {
  readonly code: string | null
  /** How much it says about its channel's language. */
  readonly weight: number
  /** Null for a plain text, of which nobody has asked yet. */
  readonly vote: DetectedLanguage | null
}

export function spokenIn(text: string, detector: LanguageDetector): Spoken {
  const plain = detector.plain(text)
  if (plain) return { code: plain.code, weight: Math.min(plain.letters, MAX_WEIGHT), vote: null }
  const vote = detector.detect(text)
  const weight = vote.code === null ? 0 : vote.score * Math.min(vote.letters, MAX_WEIGHT)
  return { code: vote.code, weight, vote }
}

/** The post's language: its own where the text is long and sure, else its channel's, and none where that has none. */
export function languageOfPost(
  { text, spoken }: { readonly text: string; readonly spoken: Spoken },
  home: string | null,
  detector: LanguageDetector,
): string | null {
  if (spoken.code === home) return home
  // Against its channel only a vote counts: what looks plain may be a neighbour's.
  const { code, score, letters } = spoken.vote ?? detector.detect(text)
  return code !== null && letters >= OWN_LETTERS && score >= OWN_SCORE ? code : home
}

/** The language that a channel without one gets by these posts. */
export function firstLanguage(posts: readonly Spoken[]): string | null {
  const weights = new Map<string, number>()
  for (const { code, weight } of posts) {
    if (code !== null) weights.set(code, (weights.get(code) ?? 0) + weight)
  }
  return channelLanguage(weights, null)
}
