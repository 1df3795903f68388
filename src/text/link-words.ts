/** Bounds the words of a post that is nothing but links. */
const MAX_WORDS = 24
const MAX_ADDRESS = 2_048

/** Identifiers mix small and capital letters and digits; words do not. */
const WORD = /^(?:\p{Lu}?[\p{Ll}\p{M}]{2,}|\p{Lu}{3,}|[\p{Lo}\p{M}]{2,})$/u

/**
 * The words in the paths of addresses, one line per path segment: `/2026/11/strait-closed-again.html` gives `strait closed
 * again`. Only words joined as in a headline count: names of sections and identifiers would match everything.
 */
export function linkWords(links: readonly string[]): string {
  const lines = new Set<string>()
  let left = MAX_WORDS
  for (const link of links) {
    for (const segment of pathOf(link).split('/')) {
      const parts = segment.replace(/\.[a-z0-9]{1,5}$/i, '').split(/[-_+~,.\s]+/u)
      const words = parts.filter((part) => WORD.test(part))
      if (words.length < 2) continue
      lines.add(words.slice(0, left).join(' '))
      left -= words.length
      if (left <= 0) return [...lines].join('\n')
    }
  }
  return [...lines].join('\n')
}

/** The path, decoded, because addresses escape letters beyond ASCII. */
function pathOf(link: string): string {
  const path = /^[a-z]+:\/\/[^/?#]+(\/[^?#]*)/i.exec(link.slice(0, MAX_ADDRESS))?.[1] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
