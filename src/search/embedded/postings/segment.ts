import type { StatementSync } from 'node:sqlite'
import { createReader } from './bytes.ts'
import type { Stored } from './list.ts'
import { filterHash, mayHold } from './term-filter.ts'
import { firstPart, HAS_PLACES, isStorable, STANDS_APART } from './segment-writer.ts'

/** Posts that were written together and never change: from rowids to ordinals, from terms to lists. */
export interface Segment {
  readonly id: number
  /** By ordinal, ascending: newest first. Some may have been taken out since. */
  readonly rowids: Float64Array
  /** `hash` may be given where many segments are asked for one term. */
  find(term: string, hash?: number): Entry | undefined
  /** Terms that begin so, in their order, at most `limit`. */
  family(prefix: string, limit: number): { readonly term: string; readonly df: number }[]
  /** Every term in order, for merging. */
  entries(): Iterable<Entry>
  /** One row of a list that stands apart, or all of one that does not. */
  posts(entry: Entry, part: number): Stored
  /** The places of the same. */
  places(entry: Entry, part: number): Stored
}

export interface Entry {
  readonly term: string
  readonly df: number
  /** Posts in the list. */
  readonly count: number
  readonly hasPlaces: boolean
  /** The last ordinal of each part; null when it does not stand apart. */
  readonly lasts: readonly number[] | null
  /** The number of its first part. */
  readonly first: number
  readonly bytes: Uint8Array
  /** Where the list begins in `bytes`, and where its places do. */
  readonly at: number
  readonly placesAt: number
}

/** Terms remembered for a segment, fewer for a small one: a query asks for each several times, and others ask again. */
const MAX_REMEMBERED = 2_000
const POSTS_A_TERM = 50
const SPACE = 32

/** A stretch of terms, a space around each, and their entries. */
interface Page {
  readonly terms: string
  readonly data: Uint8Array
}

interface Row {
  readonly rowids: Uint8Array
  readonly firsts: string
  readonly filter: Uint8Array
}

export function loadSegment(statement: (sql: string) => StatementSync, id: number): Segment {
  const read = statement('select rowids, firsts, filter from segment where id = ?')
  const row = read.get(id) as unknown as Row
  const { filter } = row
  const rowids = float64s(row.rowids)
  const firsts = row.firsts === '' ? [] : row.firsts.split(' ')
  // Those asked for lately, and those before them: whoever is asked for again stays.
  let remembered = new Map<string, Entry | null>()
  let older: typeof remembered = new Map()
  let last: { readonly n: number; readonly page: Page } | undefined
  const most = Math.min(MAX_REMEMBERED / 2, 32 + rowids.length / POSTS_A_TERM)
  const readPage = statement('select terms, data from page where id = cast(? as integer)')
  const readPosts = statement('select posts from list where id = cast(? as integer)')
  const readPlaces = statement('select places from list where id = cast(? as integer)')

  function page(n: number): Page {
    // The stems of one word in several languages are neighbours.
    if (last?.n === n) return last.page
    const row = readPage.get(firstPart(id) + n)
    if (!row) throw new Error(`the index is damaged: page ${n} of segment ${id} is missing`)
    last = { n, page: row as unknown as Page }
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
    const { terms, data } = page(n)
    const place = terms.indexOf(` ${term} `)
    if (place < 0) return undefined
    reader.bytes = data
    reader.at = 0
    for (let i = 0; i < place; i++) if (terms.charCodeAt(i) === SPACE) skipEntry()
    const length = reader.number()
    return readEntry(term, data.slice(reader.at, reader.at + length), 0)
  }

  return {
    id,
    rowids,
    find(term, hash = filterHash(term)) {
      if (!mayHold(filter, hash)) return undefined
      let entry = remembered.get(term)
      if (entry === undefined) {
        entry = older.get(term) ?? look(term) ?? null
        if (remembered.size >= most) [older, remembered] = [remembered, new Map()]
        remembered.set(term, entry)
      }
      return entry ?? undefined
    },
    family(prefix, limit) {
      const found: { term: string; df: number }[] = []
      for (let n = Math.max(0, pageOf(prefix)); n < firsts.length; n++) {
        const { terms, data } = page(n)
        reader.bytes = data
        reader.at = 0
        for (const term of terms.slice(1, -1).split(' ')) {
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
        const { terms, data } = page(n)
        let at = 0
        for (const term of terms.slice(1, -1).split(' ')) {
          reader.bytes = data
          reader.at = at
          const length = reader.number()
          at = reader.at + length
          yield readEntry(term, data, reader.at)
        }
      }
    },
    posts(entry, part) {
      if (!entry.lasts) return { bytes: entry.bytes, at: entry.at }
      const row = readPosts.get(firstPart(id) + entry.first + part)
      return { bytes: row!['posts'] as Uint8Array, at: 0 }
    },
    places(entry, part) {
      if (!entry.lasts) return { bytes: entry.bytes, at: entry.placesAt }
      const row = readPlaces.get(firstPart(id) + entry.first + part)
      return { bytes: row!['places'] as Uint8Array, at: 0 }
    },
  }
}

const reader = createReader()

function skipEntry(): void {
  const length = reader.number()
  reader.at += length
}

function readEntry(term: string, bytes: Uint8Array, from: number): Entry {
  reader.bytes = bytes
  reader.at = from
  const df = reader.number()
  const count = reader.number()
  const flags = reader.number()
  const hasPlaces = (flags & HAS_PLACES) !== 0
  if ((flags & STANDS_APART) === 0) {
    const length = reader.number()
    const placesAt = reader.at + length
    return { term, df, count, hasPlaces, lasts: null, first: 0, bytes, at: reader.at, placesAt }
  }
  const first = reader.number()
  const lasts: number[] = []
  for (let left = reader.number(), last = -1; left > 0; left--)
    lasts.push((last += reader.number()))
  return { term, df, count, hasPlaces, lasts, first, bytes, at: 0, placesAt: 0 }
}

/** The same memory where that is aligned, which SQLite's answers are. */
function float64s(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  return new Float64Array(buffer as ArrayBuffer, byteOffset, byteLength / 8)
}
