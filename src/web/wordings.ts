import { cutText } from '../model/cut-text.ts'
import { diffWords, type Piece } from '../text/edits/diff-words.ts'
import { html, raw, type Markup } from './markup.ts'

const VIEWS = [
  ['diff', 'Changes'],
  ['before', 'Before'],
  ['after', 'After'],
] as const

/**
 * Two wordings of a post: the difference, the earlier and the later text, one at a time and switched without a script. A
 * list shows only their beginnings.
 */
export function wordings(name: string, before: string, after: string, max = Infinity): Markup {
  return html`<fieldset class="wordings">
    <legend class="unseen">Which wording to show</legend>
    ${VIEWS.map(
      ([view, label], i) =>
        html`<input
            type="radio"
            class="show-${view}"
            name="${name}"
            id="${name}-${view}"
            ${i === 0 ? raw('checked') : ''}
          /><label for="${name}-${view}">${label}</label> `,
    )}
    <div class="wording diff" dir="auto">${difference(before, after)}</div>
    <div class="wording before" dir="auto">${cutText(before, max)}</div>
    <div class="wording after" dir="auto">${cutText(after, max)}</div>
  </fieldset>`
}

function difference(before: string, after: string): (Markup | string)[] {
  const pieces = diffWords(before, after)
  return pieces.flatMap((piece, i) => [
    // A space between old and new text, so that they are two words when read out or copied.
    pieces[i - 1]?.kind === 'removed' && piece.kind === 'added' ? ' ' : '',
    changed(piece, i === 0, i === pieces.length - 1),
  ])
}

const CONTEXT = 120

function changed({ kind, text }: Piece, isFirst: boolean, isLast: boolean): Markup | string {
  if (kind === 'added') return html`<ins>${text}</ins>`
  if (kind === 'removed') return html`<del>${text}</del>`
  if (text.length <= 3 * CONTEXT) return text
  // Of unchanged text, only what is next to a change.
  const start = isFirst ? '' : cutText(text, CONTEXT).slice(0, -1)
  const end = isLast ? '' : lastWords(text)
  return `${start} […] ${end}`
}

/** The end of a text, from the beginning of a word if one begins in the first half. */
function lastWords(text: string): string {
  const end = text.slice(-CONTEXT).replace(/^[\udc00-\udfff]/, '')
  const space = end.search(/\s/u)
  return space < CONTEXT / 2 ? end.slice(space + 1) : end
}
