import { isChannelName } from '../model/channel-name.ts'
import type { Entity } from '../model/post.ts'
import { safeUrl } from '../model/safe-url.ts'
import { attribute, type Element } from './html.ts'
import { parsePlatformLink } from './links.ts'

/** The type of a link in a text: hashtag, cashtag, mention, address, or words with an address behind them. */
export function readLink(
  element: Element,
  text: string,
): Omit<Entity, 'offset' | 'length'> | undefined {
  const href = attribute(element, 'href') ?? ''
  const query = /[?&]q=%(23|24)/.exec(href)
  if (query && /^[#$]\S/.test(text)) return { type: query[1] === '23' ? 'hashtag' : 'cashtag' }
  // Since April 2024 links that an author puts behind words are escaped twice, and only those have a click handler.
  const isHidden = attribute(element, 'onclick') !== undefined
  const url = safeUrl(isHidden ? href.replaceAll('&amp;', '&') : href)
  if (url === null) return undefined
  const target = parsePlatformLink(url)
  const name = text.startsWith('@') ? text.slice(1) : ''
  if (target?.number === null && target.username.toLowerCase() === name.toLowerCase()) {
    if (isChannelName(name)) return { type: 'mention', url: `https://t.me/${target.username}` }
  }
  return { type: isSameAddress(text, url) ? 'link' : 'text_link', url }
}

/** True when the shown words are the address itself, such as `example.org/a` for `http://example.org/a/`. */
function isSameAddress(text: string, url: string): boolean {
  return bareAddress(text) === bareAddress(url)
}

function bareAddress(address: string): string {
  const bare = address.trim().replace(/^(?:[a-z]+:\/\/|mailto:)/i, '')
  const decoded = bare.includes('%') ? decodeSafely(bare) : bare
  return decoded.replace(/\/$/, '').toLowerCase()
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
