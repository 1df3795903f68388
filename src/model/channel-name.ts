/**
 * A channel's username. Everything a caller or a page names is parsed here before any I/O,
 * so nothing they send can reach another host or path.
 */

/** t.me's own first path segments, which can never be a channel. */
const ROUTE_WORDS: ReadonlySet<string> = new Set([
  'addemoji',
  'addlist',
  'addstickers',
  'addtheme',
  'boost',
  'confirmphone',
  'contact',
  'giftcode',
  'invoice',
  'joinchat',
  'login',
  'msg',
  'privatepost',
  'proxy',
  'setlanguage',
  'share',
  'socks',
])

const NAME = /^(?=.{4,32}$)[A-Za-z](?:_?[A-Za-z0-9])*$/
const LINK =
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:s\/)?([A-Za-z0-9_]{1,64})(?:\/\d+){0,2}\/?(?:\?[^#]*)?(?:#.*)?$/i
const SUBDOMAIN = /^(?:https?:\/\/)?([A-Za-z0-9_]{4,32})\.t\.me\/?$/i

/** True for a bare username: `[A-Za-z][A-Za-z0-9_]{3,31}`, within the platform's own limits. */
export function isChannelName(text: string): boolean {
  return NAME.test(text) && !ROUTE_WORDS.has(text.toLowerCase())
}

/**
 * Reads `durov`, `@durov`, `t.me/durov`, `https://t.me/s/durov`, with the spelling kept.
 * Returns undefined for anything else.
 */
export function parseChannelName(input: string): string | undefined {
  if (input.length > 256) return undefined
  const text = input.trim()
  const bare = text.startsWith('@') ? text.slice(1) : text
  if (isChannelName(bare)) return bare
  const linked = (LINK.exec(text) ?? SUBDOMAIN.exec(text))?.[1]
  return linked !== undefined && isChannelName(linked) ? linked : undefined
}

/** Invitations, and links that only members can follow. */
const PRIVATE_LINK =
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:\+|joinchat\/|c\/\d)/i

const POST = /^@?([A-Za-z]\w{3,31})\/\d+$/

/** Why the input is not the name of a channel. */
export function whyNoName(given: string): string {
  const text = given.trim()
  if (PRIVATE_LINK.test(text)) return 'the link leads into a private channel, which cannot be read'
  const [, name] = POST.exec(text) ?? []
  if (name !== undefined) return `that is a post; the channel is ${name}`
  if (ROUTE_WORDS.has(text.replace(/^@/, '').toLowerCase()))
    return 'the platform reserves that word for itself'
  return 'expected 4 to 32 letters, digits or single underscores, beginning with a letter'
}

/** Titles have spaces and letters of every script, names have neither. */
export function looksLikeTitle(given: string): boolean {
  return /\p{L}/u.test(given) && (/\s/.test(given.trim()) || /[^\p{ASCII}]/u.test(given))
}

/** Names are case-insensitive: this is the form to compare and to look up by. */
export function nameKey(name: string): string {
  return name.toLowerCase()
}
