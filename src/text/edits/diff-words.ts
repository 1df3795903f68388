import { diff } from './diff.ts'

export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What changed between two texts, word by word. */
export function diffWords(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  return join(
    diff(a, b).map(({ kind, at }) => ({ kind, text: (kind === 'added' ? b : a)[at] ?? '' })),
  )
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? []
}

function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (piece.text === '') continue
    if (last?.kind === piece.kind)
      joined[joined.length - 1] = { kind: last.kind, text: last.text + piece.text }
    else joined.push(piece)
  }
  return joined
}
