import type { StatementSync } from 'node:sqlite'
import { ByteReader } from './bytes.ts'
import {
  DETAILS,
  firstRow,
  isStorable,
  LAYOUTS,
  type Details,
  type Layout,
  type Sizes,
  type Stored,
} from './layout.ts'
import { filterHash, mayHold } from './term-filter.ts'

/** Posts that were written together and never change: a dictionary of terms, each with its postings list. */
export interface Segment {
  readonly id: number
  /** The sizes it was written with. */
  readonly sizes: Sizes
  /** By doc id, ascending, so newest first. Deleted posts are among them. */
  readonly rowids: Float64Array
  /** Looks up a term. `hash` saves hashing where many segments are asked for the same one. */
  find(term: string, hash?: number): Entry | undefined
  /** The same for a term that is hardly ever asked for: the entry is not cached. */
  peek(term: string, hash: number): Entry | undefined
  /** Terms that begin so, in their order, at most `limit`. */
  withPrefix(prefix: string, limit: number): { readonly term: string; readonly df: number }[]
  /** Every term in order, for merging. */
  entries(): Iterable<Entry>
  /** One row of a list, or all of one that is in its entry. */
  posts(entry: Entry, row: number): Stored
  /** The details of the same. */
  details(entry: Entry, row: number): Stored
}

export interface Entry {
  readonly term: string
  readonly df: number
  /** Posts in the list. */
  readonly count: number
  readonly details: Details
  readonly layout: Layout
  /** The number of its first row, and in parts the last doc id of each. */
  readonly first: number
  readonly lasts: readonly number[]
  readonly bytes: Uint8Array
  /** Where an inline list begins in `bytes`, and where its details do. */
  readonly at: number
  readonly detailsAt: number
}

/** Entries cached for a segment, fewer for a small one: one query asks for a term several times, and the next may too. */
const MAX_REMEMBERED = 2_000
const POSTS_A_TERM = 50
const SPACE = 32

/** A dictionary page: some terms with spaces around them, then their entries. Terms stay bytes, since most are only skipped. */
interface Page {
  readonly bytes: Buffer
  /** Where the terms begin, and where the entries do. */
  readonly termsAt: number
  readonly entriesAt: number
}

interface Row {
  readonly rowids: Uint8Array
  readonly firsts: string
  readonly filter: Uint8Array
}

export function loadSegment(
  statement: (sql: string) => StatementSync,
  id: number,
  sizes: Sizes,
): Segment {
  const read = statement('select rowids, firsts, filter from segment where id = ?')
  const row = read.get(id) as unknown as Row
  const { filter } = row
  const rowids = float64s(row.rowids)
  const firsts = row.firsts === '' ? [] : row.firsts.split(' ')
  // Two generations: what is asked for again moves to the younger one, and the older one is dropped as a whole.
  let remembered = new Map<string, Entry | null>()
  let older: typeof remembered = new Map()
  let last: { readonly n: number; readonly page: Page } | undefined
  const most = Math.min(MAX_REMEMBERED / 2, 256 + rowids.length / POSTS_A_TERM)
  const readPage = statement('select data from page where id = cast(? as integer)')
  const readPosts = statement('select posts from list where id = cast(? as integer)')
  const readDetails = statement('select details from list where id = cast(? as integer)')

  function page(n: number): Page {
    // The stems of one word in several languages are neighbours.
    if (last?.n === n) return last.page
    const row = readPage.get(firstRow(id) + n)
    if (!row) throw new Error(`the index is damaged: page ${n} of segment ${id} is missing`)
    const data = row['data'] as Uint8Array
    const reader = new ByteReader(data, 0)
    const length = reader.number()
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
    last = { n, page: { bytes, termsAt: reader.at, entriesAt: reader.at + length } }
    return last.page
  }

  /** The page a term would stand on. */
  function pageOf(term: string): number {
    let [low, high] = [0, firsts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (firsts[middle]! <= term) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  function look(term: string): Entry | undefined {
    const n = pageOf(term)
    if (n < 0 || !isStorable(term)) return undefined
    const { bytes, termsAt, entriesAt } = page(n)
    const found = bytes.indexOf(spaced(term), termsAt)
    // Behind the last term stands a space, and what follows may look like a term.
    if (found < 0 || found >= entriesAt - 1) return undefined
    const reader = new ByteReader(bytes, entriesAt)
    for (let i = termsAt; i < found; i++) if (bytes[i] === SPACE) skipEntry(reader)
    const length = reader.number()
    // A copy, since a cached entry would otherwise keep its whole page in memory.
    return readEntry(term, new Uint8Array(bytes.subarray(reader.at, reader.at + length)), 0)
  }

  return {
    id,
    sizes,
    rowids,
    find(term, hash = filterHash(term)) {
      if (!mayHold(filter, hash)) return undefined
      let entry = remembered.get(term)
      if (entry === undefined) {
        entry = older.get(term)
        if (entry === undefined) entry = look(term) ?? null
        if (remembered.size >= most) [older, remembered] = [remembered, new Map()]
        remembered.set(term, entry)
      }
      return entry ?? undefined
    },
    peek(term, hash) {
      if (!mayHold(filter, hash)) return undefined
      return remembered.get(term) ?? older.get(term) ?? look(term)
    },
    withPrefix(prefix, limit) {
      const found: { term: string; df: number }[] = []
      for (let n = Math.max(0, pageOf(prefix)); n < firsts.length; n++) {
        const current = page(n)
        const reader = new ByteReader(current.bytes, current.entriesAt)
        for (const term of termsOf(current)) {
          const next = reader.number() + reader.at
          if (term.startsWith(prefix)) {
            if (found.length >= limit) return found
            found.push({ term, df: reader.number() })
          } else if (term > prefix) return found
          reader.at = next
        }
      }
      return found
    },
    *entries() {
      for (let n = 0; n < firsts.length; n++) {
        const current = page(n)
        const reader = new ByteReader(current.bytes, current.entriesAt)
        for (const term of termsOf(current)) {
          const next = reader.number() + reader.at
          yield readEntry(term, current.bytes, reader.at)
          reader.at = next
        }
      }
    },
    posts(entry, row) {
      if (entry.layout === 'inline') return { bytes: entry.bytes, at: entry.at }
      const found = readPosts.get(firstRow(id) + entry.first + row)
      return { bytes: found!['posts'] as Uint8Array, at: 0 }
    },
    details(entry, row) {
      if (entry.layout === 'inline') return { bytes: entry.bytes, at: entry.detailsAt }
      const found = readDetails.get(firstRow(id) + entry.first + row)
      return { bytes: found!['details'] as Uint8Array, at: 0 }
    },
  }
}

function skipEntry(reader: ByteReader): void {
  const length = reader.number()
  reader.at += length
}

/** The term last looked for as a page has it: one segment after the other is asked for it. */
let asked = { term: '', bytes: Buffer.alloc(0) }

function spaced(term: string): Buffer {
  if (asked.term !== term) asked = { term, bytes: Buffer.from(` ${term} `) }
  return asked.bytes
}

function termsOf({ bytes, termsAt, entriesAt }: Page): string[] {
  return bytes.toString('utf8', termsAt + 1, entriesAt - 1).split(' ')
}

const NO_BYTES = new Uint8Array(0)
const NO_LASTS: readonly number[] = []

function readEntry(term: string, bytes: Uint8Array, from: number): Entry {
  const reader = new ByteReader(bytes, from)
  const df = reader.number()
  const count = reader.number()
  const kind = reader.number()
  const details = DETAILS[kind % DETAILS.length]!
  const layout = LAYOUTS[Math.floor(kind / DETAILS.length)]!
  const entry = { term, df, count, details, layout }
  if (layout === 'inline') {
    const length = reader.number()
    const [at, detailsAt] = [reader.at, reader.at + length]
    return { ...entry, first: 0, lasts: NO_LASTS, bytes, at, detailsAt }
  }
  const first = reader.number()
  const lasts: number[] = []
  if (layout === 'gaps') {
    for (let left = reader.number(), last = -1; left > 0; left--)
      lasts.push((last += reader.number()))
  }
  return { ...entry, first, lasts, bytes: NO_BYTES, at: 0, detailsAt: 0 }
}

/** The same memory where that is aligned, which SQLite's answers are. */
function float64s(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  return new Float64Array(buffer as ArrayBuffer, byteOffset, byteLength / 8)
}
