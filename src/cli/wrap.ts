import { displayWidth } from './print.ts'

const ADDRESS = /^\s*https?:\/\/\S*$/
// oxlint-disable-next-line no-control-regex
const ESCAPE = /(\u001b\[[\d;]*m)/

/**
 * Lines of at most `width` columns, broken at spaces, or inside a word for scripts without spaces. Addresses stay whole, so
 * that they can be copied; colours take no columns.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

function wrapLine(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  // Inside an address that is already too long, the line is looked at again only at the space that ends it.
  let isAddress = false
  for (const token of tokensOf(text)) {
    const columns = displayWidth(token)
    const isSpace = /\s/.test(token)
    if (used + columns > width && columns > 0 && (isSpace || !isAddress)) {
      const at = token === ' ' ? line.length : line.lastIndexOf(' ')
      if (at > 0) {
        lines.push(line.slice(0, at))
        line = line.slice(at + 1)
      } else {
        isAddress = ADDRESS.test(line)
        if (!isAddress) {
          lines.push(line)
          line = ''
        }
      }
      isAddress &&= !isSpace
      used = displayWidth(line)
      if (token === ' ' && line === '') continue
    }
    line += token
    used += columns
  }
  return line === '' ? lines : [...lines, line]
}

/** Units that must not be split: an escape sequence, or what a reader sees as one character. */
function* tokensOf(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter()
  for (const [i, part] of text.split(ESCAPE).entries()) {
    if (i % 2 === 1) yield part
    else for (const { segment } of segmenter.segment(part)) yield segment
  }
}
