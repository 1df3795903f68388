/**
 * Ways through the posts of a segment that match: each goes forward by ordinal, so from the newest post to the oldest,
 * and can skip. An expression becomes a tree of them.
 */
import type { Expr } from '../../plan.ts'
import { EVERY_POST } from '../../terms.ts'
import { createCursor, END, listCursor, type Cursor, type Work } from './list-cursor.ts'
import type { Entry, Segment } from './segment.ts'

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

const nothing = () => createCursor(0, () => END)

function everything({ rowids }: Segment): Cursor {
  return createCursor(rowids.length, (target) => (target < rowids.length ? target : END))
}

function anyOf(segment: Segment, cursors: readonly Cursor[]): Cursor {
  const parts = cursors.filter((cursor) => cursor.cost > 0)
  if (parts.length <= 1) return parts[0] ?? nothing()
  const cost = Math.min(
    segment.rowids.length,
    parts.reduce((sum, part) => sum + part.cost, 0),
  )
  if (parts.length > MAX_SIDE_BY_SIDE) return laidOver(segment, parts, cost)
  return createCursor(cost, (target) => {
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
  return createCursor(cost, (target) => {
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
  return createCursor(lead!.cost, (target) => {
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
