import { isChannelName } from '../model/channel-name.ts'

/** The platform's link forms, and which addresses on a page may be kept at all. */

const MAX_URL = 2048
const SCHEME = /^(?:https?:\/\/|tg:\/{0,2}|mailto:)/i
const TELEGRAM = /^https?:\/\/(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(.*)$/i
// Spaces and controls inside an address are how a scheme is hidden from a check and shown to a browser.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff<>"`\\]/u

/** An address an author may link to: http, https, tg or mailto. */
export function safeUrl(raw: string | undefined): string | null {
  if (raw === undefined) return null
  const text = raw.trim()
  const url = text.startsWith('//') ? `https:${text}` : text
  if (url.length > MAX_URL || !SCHEME.test(url)) return null
  return UNSAFE.test(url) ? escapeUnsafe(url) : url
}

/** An address of a picture or a file: https only. */
export function mediaUrl(raw: string | undefined): string | null {
  const url = safeUrl(raw)
  return url !== null && /^https:\/\//i.test(url) ? url : null
}

function escapeUnsafe(url: string): string | null {
  let safe: string
  try {
    safe = url.replace(new RegExp(UNSAFE, 'gu'), (character) => encodeURIComponent(character))
  } catch {
    return null
  }
  return safe.length > MAX_URL ? null : safe
}

interface PlatformLink {
  readonly username: string
  /** Null for a link to the channel or user itself. */
  readonly number: number | null
}

/**
 * Reads `https://t.me/name`, `https://t.me/name/12?single`, `https://t.me/s/name/12`, and `https://t.me/name/3/12`, post 12 in
 * the topic 3 of a group; undefined for anything else.
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

/** A post's number: a positive integer the platform can have given. */
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

/** Reads `https://t.me/name/12?single`, by which an album's member is linked. */
export function albumMember(
  href: string | undefined,
): { username: string; number: number } | undefined {
  if (href === undefined || !/^[^?#]*\?single(?:[&#]|$)/.test(href)) return undefined
  const { username, number = null } = parsePlatformLink(href) ?? {}
  return username === undefined || number === null ? undefined : { username, number }
}
