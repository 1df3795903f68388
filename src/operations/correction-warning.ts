import type { Correction, QueryNode } from '../model/query.ts'
import type { Warning } from './warnings.ts'

/** A word that no post holds may be a slip: the query is told as it may have been meant. */
export function correctionWarning(
  q: string,
  root: QueryNode,
  corrections: readonly Correction[],
): Warning[] {
  if (corrections.length === 0) return []
  const suggestion = corrected(
    q,
    root,
    new Map(corrections.map((each) => [each.word, each.nearest])),
  )
  const listed = (part: keyof Correction) =>
    corrections.map((each) => `\`${each[part]}\``).join(' and ')
  const detail = `no post holds ${listed('word')}; did you mean ${listed('nearest')}?`
  return [{ code: 'word_not_held', parameter: 'q', detail, suggestion }]
}

function corrected(q: string, root: QueryNode, nearest: ReadonlyMap<string, string>): string {
  let text = q
  // From the end, so that the places of those before stay.
  for (const { start, end, word } of wordsOf(root).sort((a, b) => b.start - a.start)) {
    const meant = nearest.get(word)
    if (meant === undefined) continue
    text =
      text.slice(0, start) + text.slice(start, end).replace(word, () => meant) + text.slice(end)
  }
  return text
}

function wordsOf(node: QueryNode): { start: number; end: number; word: string }[] {
  if (node.kind === 'not') return wordsOf(node.node)
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap(wordsOf)
  if (node.kind !== 'word' && node.kind !== 'exact') return []
  return [{ start: node.start, end: node.end, word: node.text }]
}
