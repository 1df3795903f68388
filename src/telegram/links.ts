import { isChannelName } from '../model/channel-name.ts'
import { safeUrl } from '../model/safe-url.ts'

/** The forms of the platform's links. */

const TELEGRAM = /^https?:\/\/(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(.*)$/i

/** An address of a picture or a file: https only. */
export function mediaUrl(raw: string | undefined): string | null {
  const url = safeUrl(raw)
  return url !== null && /^https:\/\//i.test(url) ? url : null
}

interface PlatformLink {
  readonly username: string
  /** Null for a link to the channel or user itself. */
  readonly number: number | null
}

/**
 * Reads `https://t.me/name`, `https://t.me/name/12?single`, `https://t.me/s/name/12`, and `https://t.me/name/3/12`, which is
 * post 12 in topic 3 of a group; undefined for anything else.
 */
export function parsePlatformLink(url: string): PlatformLink | undefined {
  const path = TELEGRAM.exec(url)?.[1]
  if (path === undefined) return undefined
  const [username, number, inTopic] = path
    .replace(/[?#].*$/s, '')
    .replace(/^s\//i, '')
    .split('/')
  if (username === undefined || !isChannelName(username)) return undefined
  const first = postNumber(number) ?? null
  return { username, number: first === null ? null : (postNumber(inTopic) ?? first) }
}

/** A post's number: a positive integer that the platform can have assigned. */
export function postNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined
  const number = Number(text)
  return number >= 1 && number <= 0x7fffffff ? number : undefined
}

/** Reads `slug/12`, the form of `data-post`. */
export function parsePostPath(
  text: string | undefined,
): { username: string; number: number } | undefined {
  const slash = text?.indexOf('/') ?? -1
  if (text === undefined || slash < 0) return undefined
  const username = text.slice(0, slash)
  const number = postNumber(text.slice(slash + 1))
  return number !== undefined && isChannelName(username) ? { username, number } : undefined
}

/** Reads `https://t.me/name/12?single`, the link to a member of an album. */
export function albumMember(
  href: string | undefined,
): { username: string; number: number } | undefined {
  if (href === undefined || !/^[^?#]*\?single(?:[&#]|$)/.test(href)) return undefined
  const { username, number = null } = parsePlatformLink(href) ?? {}
  return username === undefined || number === null ? undefined : { username, number }
}
