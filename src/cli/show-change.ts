import { diffWords, type Piece } from '../text/edits/diff-words.ts'
import { diff } from '../text/edits/diff.ts'
import type { Printer } from './print.ts'
import { showText } from './show-posts.ts'

/**
 * Two wordings of a post as one text: removed and added lines are marked with signs and, on a terminal, the changed words
 * with colours. Unchanged text is dim, and only the line next to a change is shown: posts are long, and an edit is often
 * one number.
 */
export function showChange(before: string, after: string, print: Printer): void {
  const { style } = print
  const words = diffWords(before, after)
  const removed = marked(words, 'removed', style.red)
  const added = marked(words, 'added', style.green)
  const steps = diff(before.split('\n'), after.split('\n')).filter(
    ({ kind, at }) => ((kind === 'added' ? added : removed)[at] ?? '').trim() !== '',
  )
  const isChange = (i: number) => (steps[i]?.kind ?? 'same') !== 'same'
  const isEqual = !steps.some((_, i) => isChange(i))
  const isShown = (i: number) => isEqual || isChange(i - 1) || isChange(i + 1)
  for (const [i, { kind, at }] of steps.entries()) {
    if (kind === 'removed') showText(`- ${removed[at]}`, print)
    else if (kind === 'added') showText(`+ ${added[at]}`, print)
    else if (isShown(i)) showText(style.dim(removed[at]!), print)
    // One sign for all the lines left out.
    else if (i === 0 || isShown(i - 1)) showText(style.dim('[…]'), print)
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
