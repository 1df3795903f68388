/**
 * Ways through the posts of a segment that match: each goes forward by ordinal, so from the newest post to the oldest,
 * and can skip. An expression becomes a tree of them.
 */
import type { Expr } from '../../plan.ts'
import { EVERY_POST } from '../../terms.ts'
import { BLOCK, decodeBlock, decodePlaces, type Blocks, type Places } from './list.ts'
import type { Entry, Segment } from './segment.ts'

/** Beyond every ordinal. */
export const END = 2 ** 30

export interface Cursor {
  /** The ordinal it stands on: -1 before the first, END behind the last. */
  at: number
  /** Posts it may lead through, at most. */
  readonly cost: number
  /** To the first match from `target` on; never back. */
  readonly seek: (target: number) => number
}

/** What a search may still decode; a cursor ends where it is used up, and what it ends on then is no match. */
export interface Work {
  postings: number
}

/** What reading a row of a list costs, in postings decoded. */
const READ = 512
/** So many alternatives are gone through side by side; more are laid over one another first. */
const MAX_SIDE_BY_SIDE = 6

export function openCursor(segment: Segment, expr: Expr | null, work: Work): Cursor {
  if (expr === null) return everything(segment)
  switch (expr.kind) {
    case 'any':
      if (expr.terms.includes(EVERY_POST)) return everything(segment)
      return anyOf(
        segment,
        entriesOf(segment, expr.terms).map((entry) => listCursor(segment, entry, work)),
      )
    case 'phrase':
      return phraseCursor(segment, expr.toks, work)
    case 'or':
      return anyOf(
        segment,
        expr.parts.map((part) => openCursor(segment, part, work)),
      )
    case 'and':
      return allOf(segment, expr.parts, work)
    case 'not':
      return allOf(segment, [expr], work)
  }
}

function entriesOf(segment: Segment, terms: readonly string[]): Entry[] {
  return terms.flatMap((term) => segment.find(term) ?? [])
}

function create(cost: number, seek: (target: number) => number): Cursor {
  const cursor: Cursor = {
    at: -1,
    cost,
    seek(target) {
      if (target <= cursor.at) return cursor.at
      return (cursor.at = cursor.at === END ? END : seek(target))
    },
  }
  return cursor
}

const nothing = () => create(0, () => END)

function everything({ rowids }: Segment): Cursor {
  return create(rowids.length, (target) => (target < rowids.length ? target : END))
}

function listCursor(segment: Segment, entry: Entry, work: Work): ListCursor {
  const buffer = new Uint32Array(Math.min(BLOCK, entry.count))
  let part = -1
  let blocks: Blocks | undefined
  let block = -1
  let length = 0
  let index = 0
  let places: Places | undefined
  let placed: ReturnType<Segment['places']> | undefined

  function openPart(next: number): void {
    part = next
    blocks = segment.posts(entry, part)
    block = -1
    length = 0
    placed = undefined
    if (entry.lasts) work.postings -= READ
  }

  function seek(target: number): number {
    if (length === 0 || buffer[length - 1]! < target) {
      if (entry.count === 0) return END
      const { lasts } = entry
      const wanted = lasts ? firstFrom(lasts, target, Math.max(0, part)) : 0
      if (lasts && wanted === lasts.length) return END
      if (wanted !== part) openPart(wanted)
      const next = firstFrom(blocks!.lasts, target, Math.max(0, block))
      if (next === blocks!.lasts.length || work.postings < 0) return END
      block = next
      length = decodeBlock(blocks!, block, buffer)
      work.postings -= length
      places = undefined
      index = 0
    }
    // Mostly the next one or one soon after.
    let step = 1
    while (index + step < length && buffer[index + step]! < target) {
      index += step
      step *= 2
    }
    while (buffer[index]! < target) index++
    return buffer[index]!
  }

  const cursor = create(entry.count, seek)
  return Object.assign(cursor, {
    places() {
      placed ??= segment.places(entry, part)
      places ??= decodePlaces(blocks!, placed.bytes, placed.from, block)
      return {
        all: places.all,
        from: index === 0 ? 0 : places.ends[index - 1]!,
        to: places.ends[index]!,
      }
    },
  })
}

interface ListCursor extends Cursor {
  /** Where the word stands in the post it is at. */
  readonly places: () => {
    readonly all: readonly number[]
    readonly from: number
    readonly to: number
  }
}

/** The first place from `from` on whose value is `target` or more. */
function firstFrom(values: readonly number[], target: number, from: number): number {
  if (from >= values.length || values[from]! >= target) return from
  let [low, high] = [from + 1, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < target) low = middle + 1
    else high = middle
  }
  return low
}

function anyOf(segment: Segment, cursors: readonly Cursor[]): Cursor {
  const parts = cursors.filter((cursor) => cursor.cost > 0)
  if (parts.length <= 1) return parts[0] ?? nothing()
  const cost = Math.min(
    segment.rowids.length,
    parts.reduce((sum, part) => sum + part.cost, 0),
  )
  if (parts.length > MAX_SIDE_BY_SIDE) return laidOver(segment, parts, cost)
  return create(cost, (target) => {
    let least = END
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const at = part.at < target ? part.seek(target) : part.at
      if (at < least) least = at
    }
    return least
  })
}

/** One bit a post. */
function laidOver(segment: Segment, parts: readonly Cursor[], cost: number): Cursor {
  let bits: Uint32Array | undefined
  const lay = () => {
    const laid = new Uint32Array((segment.rowids.length >> 5) + 1)
    for (const part of parts) {
      for (let at = part.seek(0); at < END; at = part.seek(at + 1)) laid[at >> 5]! |= 1 << (at & 31)
    }
    return laid
  }
  return create(cost, (target) => {
    bits ??= lay()
    let word = target >> 5
    if (word >= bits.length) return END
    let left = bits[word]! & (-1 << (target & 31))
    while (left === 0) {
      if (++word >= bits.length) return END
      left = bits[word]!
    }
    return (word << 5) + 31 - Math.clz32(left & -left)
  })
}

function allOf(segment: Segment, exprs: readonly Expr[], work: Work): Cursor {
  const wanted: Cursor[] = []
  const unwanted: Cursor[] = []
  for (const expr of exprs) {
    if (expr.kind === 'not') unwanted.push(openCursor(segment, expr.part, work))
    else {
      const cursor = openCursor(segment, expr, work)
      if (cursor.cost === 0) return nothing()
      wanted.push(cursor)
    }
  }
  if (wanted.length === 0) wanted.push(everything(segment))
  return conjunction(
    wanted,
    unwanted.filter((cursor) => cursor.cost > 0),
  )
}

/** The rarest leads, the others follow. */
function conjunction(
  wanted: readonly Cursor[],
  unwanted: readonly Cursor[],
  isMatch: () => boolean = () => true,
): Cursor {
  const [lead, ...others] = wanted.toSorted((a, b) => a.cost - b.cost)
  if (others.length + unwanted.length === 0) return lead!
  return create(lead!.cost, (target) => {
    let at = lead!.seek(target)
    search: while (at < END) {
      for (let i = 0; i < others.length; i++) {
        const other = others[i]!
        const found = other.at < at ? other.seek(at) : other.at
        if (found !== at) {
          at = lead!.seek(found)
          continue search
        }
      }
      for (let i = 0; i < unwanted.length; i++) {
        const other = unwanted[i]!
        if ((other.at < at ? other.seek(at) : other.at) === at) {
          at = lead!.seek(at + 1)
          continue search
        }
      }
      if (isMatch()) return at
      at = lead!.seek(at + 1)
    }
    return END
  })
}

/** Folded words one after the other. */
function phraseCursor(segment: Segment, toks: readonly string[], work: Work): Cursor {
  const entries = toks.map((tok) => segment.find(tok))
  if (entries.some((entry) => !entry || entry.count === 0)) return nothing()
  const words = entries.map((entry) => listCursor(segment, entry!, work))
  if (words.length === 1) return words[0]!
  const isAdjacent = () => {
    const [first, ...rest] = words.map((word) => word.places())
    for (let i = first!.from; i < first!.to; i++) {
      const start = first!.all[i]!
      if (rest.every((each, k) => holds(each, start + k + 1))) return true
    }
    return false
  }
  return conjunction(words, [], isAdjacent)
}

function holds(
  {
    all,
    from,
    to,
  }: { readonly all: readonly number[]; readonly from: number; readonly to: number },
  place: number,
): boolean {
  for (let i = from; i < to; i++) if (all[i]! >= place) return all[i] === place
  return false
}
