import { channelLanguage } from '../model/channel-language.ts'
import type { DetectedLanguage, LanguageDetector } from '../text/language.ts'

/** A post has another language than its channel only with this many letters and this score. */
const OWN_LETTERS = 40
const OWN_SCORE = 0.9
/** The most that one post can weigh in its channel's language, in letters. */
const MAX_WEIGHT = 200

/**
 * What a text alone tells about its language. It is always the same for the same text, so that a channel's language does not
 * depend on when, in which order or how often its posts are read.
 */
export interface TextLanguage {
  readonly code: string | null
  /** How much it weighs in its channel's language. */
  readonly weight: number
  /** The detector's result; null for a plain text, for which the detector has not been run yet. */
  readonly vote: DetectedLanguage | null
}

export function languageOfText(text: string, detector: LanguageDetector): TextLanguage {
  const plain = detector.detectObvious(text)
  if (plain) return { code: plain.code, weight: Math.min(plain.letters, MAX_WEIGHT), vote: null }
  const vote = detector.detect(text)
  const weight = vote.code === null ? 0 : vote.score * Math.min(vote.letters, MAX_WEIGHT)
  return { code: vote.code, weight, vote }
}

/** The post's language: its own if the text is long and the detector sure, otherwise its channel's, which may be null. */
export function languageOfPost(
  { text, textLanguage }: { readonly text: string; readonly textLanguage: TextLanguage },
  home: string | null,
  detector: LanguageDetector,
): string | null {
  if (textLanguage.code === home) return home
  // Against the channel's language only the detector counts: a text that looks plain may be in a closely related language.
  const { code, score, letters } = textLanguage.vote ?? detector.detect(text)
  return code !== null && letters >= OWN_LETTERS && score >= OWN_SCORE ? code : home
}

/** The language that these posts give to a channel without one. */
export function firstLanguage(posts: readonly TextLanguage[]): string | null {
  const weights = new Map<string, number>()
  for (const { code, weight } of posts) {
    if (code !== null) weights.set(code, (weights.get(code) ?? 0) + weight)
  }
  return channelLanguage(weights, null)
}
