export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts are compared by their common ends alone, so that the work stays bounded. */
const MAX_WORDS = 1500

/** What changed between two texts, word by word: the common ends, then the longest common sequence between them. */
export function diffWords(before: string, after: string): Piece[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end += 1
  const middleA = a.slice(start, a.length - end)
  const middleB = b.slice(start, b.length - end)
  return join([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...middle(middleA, middleB),
    { kind: 'same', text: a.slice(a.length - end).join('') },
  ])
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? []
}

function middle(a: readonly string[], b: readonly string[]): Piece[] {
  if (a.length * b.length === 0 || a.length > MAX_WORDS || b.length > MAX_WORDS) {
    return [
      { kind: 'removed', text: a.join('') },
      { kind: 'added', text: b.join('') },
    ]
  }
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number)
    }
  }
  const pieces: Piece[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j]
    if (isSame) {
      pieces.push({ kind: 'same', text: a[i] as string })
      i += 1
      j += 1
    } else if (
      j >= b.length ||
      (i < a.length &&
        (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))
    ) {
      pieces.push({ kind: 'removed', text: a[i] as string })
      i += 1
    } else {
      pieces.push({ kind: 'added', text: b[j] as string })
      j += 1
    }
  }
  return pieces
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
