import type { Channel } from '../model/channel.ts'
import type { LanguageDetector } from '../text/language.ts'

/** A channel is settled once ten posts spoke with one voice; its posts are then only checked against its language. */
const SETTLED_POSTS = 10
const SETTLED_SHARE = 0.8
/** Fewer letters than this say nothing against the channel's language. */
const MIN_LETTERS = 20
/** So many, and so sure, and the post speaks for itself. */
const OWN_LETTERS = 40
const OWN_SCORE = 0.9
/** What one post can add to its channel's language. */
const MAX_WEIGHT = 200

interface PostLanguage {
  readonly language: string | null
  readonly detectedLanguage: string | null
  readonly languageWeight: number
}

/** The post's language: its own where the text is long and plain, else its channel's. */
export function languageOfPost(
  text: string,
  channel: Pick<Channel, 'language' | 'languages' | 'posts'>,
  detector: LanguageDetector,
): PostLanguage {
  const home = channel.language
  const isSettled =
    home !== null &&
    channel.posts >= SETTLED_POSTS &&
    (channel.languages[0]?.share ?? 0) >= SETTLED_SHARE
  if (isSettled && detector.confirms(text, home)) {
    const languageWeight = Math.min(text.length, MAX_WEIGHT)
    return { language: home, detectedLanguage: home, languageWeight }
  }
  const { code, score, letters } = detector.detect(text)
  const languageWeight = code === null ? 0 : score * Math.min(letters, MAX_WEIGHT)
  const isOwn = code !== null && letters >= OWN_LETTERS && score >= OWN_SCORE
  const isHomeless = home === null && letters >= MIN_LETTERS
  const language = isOwn || isHomeless ? code : (home ?? code)
  return { language, detectedLanguage: code, languageWeight }
}
