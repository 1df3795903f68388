/** Which addresses, read from a page or a file, may be kept at all. */

const MAX_URL = 2048
const SCHEME = /^(?:https?:\/\/|tg:\/{0,2}|mailto:)/i
// Spaces and control characters can hide a scheme from a check while a browser still follows it.
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

function escapeUnsafe(url: string): string | null {
  let safe: string
  try {
    safe = url.replace(new RegExp(UNSAFE, 'gu'), (character) => encodeURIComponent(character))
  } catch {
    return null
  }
  return safe.length > MAX_URL ? null : safe
}
