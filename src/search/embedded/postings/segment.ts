import type { StatementSync } from 'node:sqlite'
import { ByteReader, Bytes } from './bytes.ts'
import { firstRow, isStorable, readHead, type Head, type Sizes, type Stored } from './layout.ts'
import { filterHash, mayHold } from './term-filter.ts'

/** Posts that were written together and never change: a dictionary of terms, each with its postings list. */
export interface Segment {
  readonly id: number
  /** The sizes that the segment was written with. */
  readonly sizes: Sizes
  /** By doc id, ascending, so newest first. Deleted posts are included. */
  readonly rowids: Float64Array
  /** Looks up a term. Passing `hash` saves hashing when many segments are asked for the same term. */
  find(term: string, hash?: number): Entry | undefined
  /** The same for a term that is hardly ever asked for: the entry is not cached. */
  peek(term: string, hash: number): Entry | undefined
  /** Terms with this prefix in ascending order, at most `limit`. */
  withPrefix(prefix: string, limit: number): { readonly term: string; readonly df: number }[]
  /** Every term in order, for merging. */
  entries(): Iterable<Entry>
  /** One row of a list, or the whole list if it is inline. */
  posts(entry: Entry, row: number): Stored
  /** The details of the same row. */
  details(entry: Entry, row: number): Stored
}

export interface Entry extends Head {
  readonly term: string
  /** The rows of a list that is not inline. The last doc id of each row is known for gaps only. */
  readonly rows: readonly { readonly number: number; readonly posts: number }[]
  readonly lasts: readonly number[]
  readonly bytes: Uint8Array
  /** The offsets of an inline list and of its details in `bytes`. */
  readonly at: number
  readonly detailsAt: number
}

/** Entries cached per segment, fewer for a small one: a query asks for a term several times, and the next query may too. */
const MAX_REMEMBERED = 2_000
const POSTS_A_TERM = 50
/** Pages of 2 KB cached per segment: the forms and slips of a word are neighbours, and queries share words. */
const MAX_PAGES = 64
/** Rows of lists, about 10 KB each, cached per segment: by relevance they are read to find posts and again to rank them. */
const MAX_ROWS = 32

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
  // Two generations: an entry that is used again moves to the younger one, and the older one is dropped as a whole.
  let remembered = new Map<string, Entry | null>()
  let older: typeof remembered = new Map()
  const pages: { readonly n: number; readonly page: Uint8Array }[] = []
  const listRows: { readonly number: number; readonly bytes: Uint8Array }[] = []
  const most = Math.min(MAX_REMEMBERED / 2, 256 + rowids.length / POSTS_A_TERM)
  const readPage = statement('select data from page where id = cast(? as integer)')
  const readPosts = statement('select posts from list where id = cast(? as integer)')
  const readDetails = statement('select details from list where id = cast(? as integer)')

  function page(n: number): Uint8Array {
    const held = pages[n % MAX_PAGES]
    if (held?.n === n) return held.page
    const row = readPage.get(firstRow(id) + n)
    if (!row) throw new Error(`the index is damaged: page ${n} of segment ${id} is missing`)
    const page = row['data'] as Uint8Array
    pages[n % MAX_PAGES] = { n, page }
    return page
  }

  /** The page that a term would be on. */
  function pageOf(term: string): number {
    let [low, high] = [0, firsts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (firsts[middle]! <= term) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  function look(term: string, use: 'once' | 'cached'): Entry | undefined {
    const n = pageOf(term)
    if (n < 0 || !isStorable(term)) return undefined
    const bytes = page(n)
    const from = findEntry(bytes, bytesOf(term))
    if (from < 0) return undefined
    const reader = new ByteReader(bytes, from)
    const length = reader.number()
    if (use === 'once') return readEntry(term, bytes, reader.at)
    // A copy, since a cached entry would otherwise keep its whole page in memory.
    return readEntry(term, bytes.slice(reader.at, reader.at + length), 0)
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
        if (entry === undefined) entry = look(term, 'cached') ?? null
        if (remembered.size >= most) [older, remembered] = [remembered, new Map()]
        remembered.set(term, entry)
      }
      return entry ?? undefined
    },
    peek(term, hash) {
      if (!mayHold(filter, hash)) return undefined
      return remembered.get(term) ?? older.get(term) ?? look(term, 'once')
    },
    withPrefix(prefix, limit) {
      const found: { term: string; df: number }[] = []
      const from = Math.max(0, pageOf(prefix))
      for (let n = from; n < firsts.length; n++) {
        if (n > from && !firsts[n]!.startsWith(prefix)) break
        const bytes = page(n)
        const { terms, at } = termsOf(bytes, bytesOf(prefix))
        for (let i = 0; i < at.length; i++) {
          if (found.length >= limit) return found
          found.push({ term: terms[i]!, df: readHead(new ByteReader(bytes, at[i]!)).df })
        }
      }
      return found
    },
    *entries() {
      for (let n = 0; n < firsts.length; n++) {
        const bytes = page(n)
        const { terms, at } = termsOf(bytes, ALL)
        for (let i = 0; i < at.length; i++) yield readEntry(terms[i]!, bytes, at[i]!)
      }
    },
    posts(entry, row) {
      const { layout, rows, bytes, at } = entry
      if (layout === 'inline') return { bytes, at, posts: entry.count }
      const { number, posts } = rows[row]!
      let held = listRows[number % MAX_ROWS]
      if (held?.number !== number) {
        const found = readPosts.get(firstRow(id) + number)
        held = listRows[number % MAX_ROWS] = { number, bytes: found!['posts'] as Uint8Array }
      }
      return { bytes: held.bytes, at: 0, posts }
    },
    details(entry, row) {
      const { layout, rows, bytes, detailsAt } = entry
      if (layout === 'inline') return { bytes, at: detailsAt, posts: entry.count }
      const { number, posts } = rows[row]!
      const found = readDetails.get(firstRow(id) + number)
      return { bytes: found!['details'] as Uint8Array, at: 0, posts }
    },
  }
}

/** The bytes of the last term looked up: one segment after another is asked for the same term. */
let asked = { term: '', bytes: Buffer.alloc(0) }

const ALL = Buffer.alloc(0)

function bytesOf(term: string): Buffer {
  if (asked.term !== term) asked = { term, bytes: Buffer.from(term) }
  return asked.bytes
}

/**
 * The offset of a term's entry on a page; -1 if it is not there. A term is stored as the number of bytes it shares with
 * the previous term, and the bytes that follow. While scanning, it is enough to know how many bytes of the wanted term
 * have matched.
 */
function findEntry(page: Uint8Array, wanted: Buffer): number {
  const reader = new ByteReader(page, 0)
  for (let met = 0; reader.at < page.length;) {
    const shared = reader.number()
    const length = reader.number()
    const end = reader.at + length
    if (shared <= met) {
      met = shared
      for (let at = reader.at; at < end && page[at] === wanted[met]; at++) met++
      if (met === wanted.length && met === shared + length) return end
    }
    reader.at = end
    const entry = reader.number()
    reader.at += entry
  }
  return -1
}

/** Buffer in which the terms of a page are put together, to be turned into strings at once. */
const spaced = new Bytes()
const SPACE = 32

/** The terms of a page with this prefix, which are adjacent, and the offset of each one's entry. */
function termsOf(
  page: Uint8Array,
  prefix: Buffer,
): { readonly terms: readonly string[]; readonly at: readonly number[] } {
  const reader = new ByteReader(page, 0)
  const at: number[] = []
  spaced.clear()
  for (let met = 0, start = 0; reader.at < page.length;) {
    const shared = reader.number()
    const end = reader.number() + reader.at
    if (shared <= met) {
      met = shared
      for (let i = reader.at; i < end && met < prefix.length && page[i] === prefix[met]; i++) met++
    }
    const isFirst = at.length === 0
    if (met === prefix.length) {
      const next = spaced.length
      if (isFirst) spaced.copy(prefix, 0, shared)
      else spaced.repeat(start, start + shared)
      spaced.copy(page, reader.at, end)
      spaced.number(SPACE)
      start = next
    } else if (!isFirst) break
    reader.at = end
    const entry = reader.number()
    if (met === prefix.length) at.push(reader.at)
    reader.at += entry
  }
  return { terms: spaced.text().split(' '), at }
}

const NO_BYTES = new Uint8Array(0)
const NONE: readonly never[] = []

function readEntry(term: string, bytes: Uint8Array, from: number): Entry {
  const reader = new ByteReader(bytes, from)
  const head = readHead(reader)
  if (head.layout === 'inline') {
    const length = head.hasPositions ? reader.number() : 0
    const { at } = reader
    return { term, ...head, rows: NONE, lasts: NONE, bytes, at, detailsAt: at + length }
  }
  const rows: { number: number; posts: number }[] = []
  const lasts: number[] = []
  for (let left = reader.number(), last = -1; left > 0; left--) {
    rows.push({ number: reader.number(), posts: reader.number() })
    if (head.layout === 'gaps') lasts.push((last += reader.number()))
  }
  return { term, ...head, rows, lasts, bytes: NO_BYTES, at: 0, detailsAt: 0 }
}

/** A view of the same memory if it is aligned, as SQLite's results are; otherwise a copy. */
function float64s(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  return new Float64Array(buffer as ArrayBuffer, byteOffset, byteLength / 8)
}
