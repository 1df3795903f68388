import { diff } from './diff.ts'

export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What changed between two texts, word by word. Adjacent replaced words give one piece for the old, one for the new. */
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
  const run = { same: '', removed: '', added: '' }
  const end = (kinds: readonly Piece['kind'][]) => {
    for (const kind of kinds) {
      if (run[kind] !== '') joined.push({ kind, text: run[kind] })
      run[kind] = ''
    }
  }
  for (const [i, { kind, text }] of pieces.entries()) {
    if (kind !== 'same') {
      end(['same'])
      run[kind] += text
    } else if (run.removed && run.added && isSpace(text) && isChange(pieces[i + 1])) {
      run.removed += text
      run.added += text
    } else {
      end(['removed', 'added'])
      run.same += text
    }
  }
  end(['same', 'removed', 'added'])
  return joined
}

/** White space between words of one line. */
function isSpace(text: string): boolean {
  return /^[^\S\n]+$/.test(text)
}

function isChange(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.kind !== 'same'
}
