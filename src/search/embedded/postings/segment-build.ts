import type { DatabaseSync } from 'node:sqlite'
import { isStorable } from './layout.ts'
import { createSegmentWriter, type NewSegment } from './segment-writer.ts'

/** The terms of a post. */
export interface Terms {
  /** Folded words in text order, and the stem term of each. */
  readonly toks: readonly string[]
  readonly stems: readonly string[]
  /** Facts: all terms without positions, each once. */
  readonly others: readonly string[]
}

/** Writes posts as a new segment. */
export function buildSegment(
  db: DatabaseSync,
  segment: NewSegment,
  posts: ReadonlyMap<number, Terms>,
): void {
  const rowids = Float64Array.from(posts.keys()).sort()
  const numbers = new Map<string, number>()
  const numberOf = (term: string) => {
    let number = numbers.get(term)
    if (number === undefined) numbers.set(term, (number = numbers.size))
    return number
  }
  let total = 0
  for (const { toks, stems, others } of posts.values()) {
    total += toks.length + stems.length + others.length
  }
  // Every occurrence in the order of posts: its term, post and position.
  const termOf = new Uint32Array(total)
  const docOf = new Uint32Array(total)
  const positionOf = new Uint32Array(total)
  let at = 0
  for (let doc = 0; doc < rowids.length; doc++) {
    const { toks, stems, others } = posts.get(rowids[doc]!)!
    for (const words of [toks, stems]) {
      for (let position = 0; position < words.length; position++) {
        termOf[at] = numberOf(words[position]!)
        docOf[at] = doc
        positionOf[at++] = position
      }
    }
    for (const term of others) {
      termOf[at] = numberOf(term)
      docOf[at] = doc
      positionOf[at++] = NO_POSITION
    }
  }
  const { starts, docs, positions } = byTerm(numbers.size, termOf, docOf, positionOf)
  const writer = createSegmentWriter(db, segment, rowids)
  for (const term of [...numbers.keys()].filter(isStorable).sort()) {
    const number = numbers.get(term)!
    const [from, to] = [starts[number]!, starts[number + 1]!]
    const hasPositions = positions[from] !== NO_POSITION
    writer.add(term, null, { docs, positions: hasPositions ? positions : null }, from, to)
  }
  writer.finish()
}

const NO_POSITION = 2 ** 32 - 1

/** Groups the occurrences by term with a counting sort. */
function byTerm(
  terms: number,
  termOf: Uint32Array,
  docOf: Uint32Array,
  positionOf: Uint32Array,
): { starts: Uint32Array; docs: Uint32Array; positions: Uint32Array } {
  const starts = new Uint32Array(terms + 1)
  for (const term of termOf) starts[term + 1]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const next = starts.slice()
  const docs = new Uint32Array(termOf.length)
  const positions = new Uint32Array(termOf.length)
  for (let i = 0; i < termOf.length; i++) {
    const to = next[termOf[i]!]!++
    docs[to] = docOf[i]!
    positions[to] = positionOf[i]!
  }
  return { starts, docs, positions }
}
