import type { DatabaseSync } from 'node:sqlite'
import { isStorable } from './layout.ts'
import { createSegmentWriter, type NewSegment } from './segment-writer.ts'

/** What a post is found by. */
export interface Terms {
  /** Folded words in their order. */
  readonly toks: readonly string[]
  /** Stems, facts: everything else. */
  readonly others: readonly string[]
}

/** Writes posts as a segment of their own. */
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
  for (const { toks, others } of posts.values()) total += toks.length + others.length
  // Every occurrence in the order of posts: its term, post and place.
  const termOf = new Uint32Array(total)
  const ordOf = new Uint32Array(total)
  const placeOf = new Uint32Array(total)
  let at = 0
  for (let ord = 0; ord < rowids.length; ord++) {
    const { toks, others } = posts.get(rowids[ord]!)!
    for (let place = 0; place < toks.length; place++) {
      termOf[at] = numberOf(toks[place]!)
      ordOf[at] = ord
      placeOf[at++] = place
    }
    for (const term of others) {
      termOf[at] = numberOf(term)
      ordOf[at] = ord
      placeOf[at++] = NO_PLACE
    }
  }
  const { starts, ords, places } = byTerm(numbers.size, termOf, ordOf, placeOf)
  const writer = createSegmentWriter(db, segment, rowids)
  for (const term of [...numbers.keys()].filter(isStorable).sort()) {
    const number = numbers.get(term)!
    const [from, to] = [starts[number]!, starts[number + 1]!]
    const hasPlaces = places[from] !== NO_PLACE
    writer.add(term, null, { ords, places: hasPlaces ? places : null }, from, to)
  }
  writer.finish()
}

const NO_PLACE = 2 ** 32 - 1

/** Puts the occurrences of each term together, by counting them first. */
function byTerm(
  terms: number,
  termOf: Uint32Array,
  ordOf: Uint32Array,
  placeOf: Uint32Array,
): { starts: Uint32Array; ords: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(terms + 1)
  for (const term of termOf) starts[term + 1]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const next = starts.slice()
  const ords = new Uint32Array(termOf.length)
  const places = new Uint32Array(termOf.length)
  for (let i = 0; i < termOf.length; i++) {
    const to = next[termOf[i]!]!++
    ords[to] = ordOf[i]!
    places[to] = placeOf[i]!
  }
  return { starts, ords, places }
}
