import { diffWords, type Piece } from '../text/edits/diff-words.ts'
import { diff } from '../text/edits/diff.ts'
import type { Printer } from './print.ts'
import { showText } from './show-posts.ts'

/**
 * Two wordings of a post as one text: removed and added lines are marked with signs and, on a terminal, the changed words
 * with colours. Unchanged text is dim: posts are long, and an edit is often one number.
 */
export function showChange(before: string, after: string, print: Printer): void {
  const { style } = print
  const words = diffWords(before, after)
  const removed = marked(words, 'removed', style.red)
  const added = marked(words, 'added', style.green)
  for (const { kind, at } of diff(before.split('\n'), after.split('\n'))) {
    if (kind === 'removed') showSigned('-', removed[at] ?? '', print)
    else if (kind === 'added') showSigned('+', added[at] ?? '', print)
    else showText(style.dim(removed[at] ?? ''), print)
  }
}

interface Versioned {
  readonly text: string
  readonly versions: readonly { readonly captured_at: string; readonly text: string | null }[]
}

/** The earlier wordings of a post, oldest first, each with the change that followed. */
export function showVersions({ text, versions }: Versioned, print: Printer): void {
  const wordings = [...versions.slice(1).map((version) => version.text), text]
  for (const [i, { captured_at: at, text: before }] of versions.entries()) {
    print.line(print.style.dim(`earlier version, captured ${at}, and what was changed`))
    if (before === null) showText('(only its hash is kept)', print)
    else showChange(before, wordings[i] ?? before, print)
  }
}

function showSigned(sign: string, line: string, print: Printer): void {
  if (line.trim() !== '') showText(`${sign} ${line}`, print)
}

/** The lines of one text, with what the other lacks in colour; a colour ends with its line. */
function marked(
  words: readonly Piece[],
  kind: Piece['kind'],
  paint: (text: string) => string,
): string[] {
  const paintLine = (line: string) => (line.trim() === '' ? line : paint(line))
  return words
    .filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map(({ kind, text }) => (kind === 'same' ? text : text.split('\n').map(paintLine).join('\n')))
    .join('')
    .split('\n')
}
