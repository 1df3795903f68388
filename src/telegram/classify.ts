/** Decides what the text of an answer means. Does no I/O: `web-source.ts` fetches. */
import type { ChannelProfile, UnavailableReason } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import type { Post } from '../model/post.ts'
import { parseEmbed } from './parse-embed.ts'
import { parseProfilePage, type LandingState } from './parse-landing.ts'
import { PARSER_VERSION, parsePage, type ParsedPage } from './parse-page.ts'
import type { WarningCode } from './parse-warning.ts'
import { parsePostPage } from './parse-post-page.ts'
import type { NoPage, PageOutcome, PostOutcome, WordsOutcome } from './source.ts'

/** Who owns a name, by its profile page. `preview`: a readable channel, whose preview should have shown its posts. */
export type Ownership =
  | { readonly kind: 'preview' }
  | { readonly kind: 'nobody' }
  | (NoPage & { readonly kind: 'unavailable' | 'broken' | 'throttled' })

const TRUNCATED = { kind: 'broken', what: 'truncated' } as const
const LAYOUT_UNKNOWN = { kind: 'broken', what: 'layout_unknown' } as const
const BANNED = { kind: 'throttled', sign: 'generic', retryAfterMs: null } as const

/** Every whole page ends with a comment on how long it took, or at least with its last tag. */
export function isWhole(html: string): boolean {
  return /<!-- page generated in |<\/html>\s*$/i.test(html.slice(-400))
}

/** A 200 answer to `/s/<name>`. `landing`: the answer is the profile page instead, which says why. */
export function classifyPage(
  html: string,
  at: number,
): PageOutcome | { readonly kind: 'landing'; readonly ownership: Ownership } {
  if (!isWhole(html)) return TRUNCATED
  const parsed = parsePage(html, { at })
  switch (parsed.state) {
    case 'page':
      return parsed.profile && !isMostlyUnreadable(parsed)
        ? {
            kind: 'page',
            page: {
              profile: parsed.profile,
              posts: parsed.posts,
              numbers: parsed.numbers,
              before: parsed.before,
              fetchedAt: at,
              parserVersion: PARSER_VERSION,
              warnings: parsed.warnings.map((warning) => warning.code),
            },
          }
        : LAYOUT_UNKNOWN
    case 'no_posts':
      return { kind: 'empty', profile: parsed.profile }
    case 'truncated':
      return TRUNCATED
    default:
      return { kind: 'landing', ownership: ownershipOf(parsed.state, parsed.profile) }
  }
}

const UNREADABLE: ReadonlySet<WarningCode> = new Set([
  'post_without_number',
  'post_without_date',
  'post_date_out_of_range',
  'foreign_post',
])

/** One unreadable post may just be odd; more than one, and more than a quarter of the page, is an unknown layout. */
function isMostlyUnreadable(page: ParsedPage): boolean {
  const skipped = page.warnings.filter((warning) => UNREADABLE.has(warning.code)).length
  const unreadable = skipped + page.posts.filter(isBare).length
  return unreadable > 1 && unreadable * 4 > page.posts.length + skipped
}

/** True for a post with no content at all; a real post has words, media, a poll, or the note that only the app can show it. */
function isBare(post: Post): boolean {
  const hasContent = post.text !== '' || post.media.length > 0 || post.poll !== null || post.orphan
  return post.kind === 'post' && !hasContent && post.linkPreview === null
}

/** A 200 answer to `/<name>`. */
export function classifyProfile(html: string, at: number): Ownership {
  if (!isWhole(html)) return TRUNCATED
  const landing = parseProfilePage(html, { at })
  return ownershipOf(landing.state, landing.profile)
}

function ownershipOf(state: LandingState, profile: ChannelProfile | null): Ownership {
  const unavailable = (reason: UnavailableReason): Ownership => ({
    kind: 'unavailable',
    reason,
    detail: null,
    profile,
  })
  switch (state) {
    case 'channel':
      return { kind: 'preview' }
    case 'nobody':
      return { kind: 'nobody' }
    case 'banned':
      return BANNED
    case 'layout_unknown':
      return LAYOUT_UNKNOWN
    case 'preview_disabled':
    case 'restricted':
    case 'private':
      return unavailable(state)
    case 'group':
      return unavailable('is_group')
    case 'user':
      return unavailable('is_user')
    case 'bot':
      return unavailable('is_bot')
  }
}

/** A 200 answer to `/<name>/<number>?embed=1`. */
export function classifyEmbed(
  html: string,
  asked: { readonly username: string; readonly number: number; readonly at: number },
): PostOutcome {
  if (!isWhole(html)) return TRUNCATED
  const embed = parseEmbed(html, { at: asked.at })
  switch (embed.kind) {
    case 'post': {
      // The platform may show a post or channel other than the one asked for, which proves nothing about the one asked for.
      const { post, platformId, username } = embed
      const isAsked = post.number === asked.number || post.albumNumbers.includes(asked.number)
      const isOwn = nameKey(username) === nameKey(asked.username)
      return isAsked && isOwn ? { kind: 'post', platformId } : LAYOUT_UNKNOWN
    }
    case 'post_not_found':
      return { kind: 'deleted' }
    case 'channel_not_found':
      return { kind: 'nobody' }
    case 'restricted':
      return { kind: 'unavailable', reason: 'restricted', detail: embed.words, profile: null }
    case 'layout_unknown':
      return LAYOUT_UNKNOWN
  }
}

/** A 200 answer to `/<name>/<number>`. For a missing post it shows the channel or another post, and there are no words. */
export function classifyWords(
  html: string,
  asked: { readonly username: string; readonly number: number },
): WordsOutcome {
  if (!isWhole(html)) return TRUNCATED
  const page = parsePostPage(html)
  const isAsked =
    page.number === asked.number &&
    page.username !== null &&
    nameKey(page.username) === nameKey(asked.username)
  return { kind: 'words', text: isAsked ? page.text : '' }
}
