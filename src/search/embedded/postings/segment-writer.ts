import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createBytes } from './bytes.ts'
import { encodeList, type Occurrences } from './list.ts'
import { createFilter, filterHash } from './term-filter.ts'

/** A segment's pages and lists are numbered from here on. */
export const firstPart = (segment: number) => segment * 2 ** 22

export function takeSegmentId(statement: (sql: string) => StatementSync): number {
  const row = statement(
    `update meta set value = value + 1 where key = 'segments' returning value`,
  ).get()
  return Number(row!['value'])
}

/** A page is closed at about this size: finding a term means reading one and going through it. */
const PAGE_BYTES = 2_000
const PAGE_TERMS = 64
/** A longer list stands in rows of its own. */
const INLINE_BYTES = 400
/** Posts in one such row: 10 KB or so. */
export const PART_POSTS = 8_192

/** Terms stand on a page with spaces between them, in SQLite's UTF-8. */
export function isStorable(term: string): boolean {
  return term !== '' && !term.includes(' ') && term.isWellFormed()
}

export const HAS_PLACES = 1
export const STANDS_APART = 2

export interface SegmentWriter {
  /** Terms come in ascending order; `df` also counts posts that were taken out since, null for none. */
  add(term: string, df: number | null, list: Occurrences, from: number, to: number): void
  finish(rowids: Float64Array): void
}

export function createSegmentWriter(
  db: DatabaseSync,
  segment: { readonly id: number; readonly bucket: number },
): SegmentWriter {
  // Fails where the number was taken before.
  db.prepare(
    `insert into segment (id, bucket, is_serving, posts, rowids, firsts, filter)
     values (?, ?, 0, 0, '', '', '')`,
  ).run(segment.id, segment.bucket)
  const insertPage = db.prepare(
    'insert into page (id, terms, data) values (cast(? as integer), ?, ?)',
  )
  const insertList = db.prepare(
    'insert into list (id, posts, places) values (cast(? as integer), ?, ?)',
  )
  const data = createBytes()
  const entry = createBytes()
  const posts = createBytes()
  const places = createBytes()
  const firsts: string[] = []
  let hashes = new Uint32Array(1_024)
  let count = 0
  let terms: string[] = []
  let termBytes = 0
  let nextPage = firstPart(segment.id)
  let nextList = firstPart(segment.id)

  function closePage(): void {
    if (terms.length === 0) return
    // A space around each, so that one can be found by itself.
    insertPage.run(nextPage++, ` ${terms.join(' ')} `, data.view())
    firsts.push(terms[0]!)
    terms = []
    termBytes = 0
    data.clear()
  }

  function note(term: string): void {
    if (count === hashes.length) {
      const grown = new Uint32Array(count * 2)
      grown.set(hashes)
      hashes = grown
    }
    hashes[count++] = filterHash(term)
  }

  function writeApart(list: Occurrences, from: number, to: number, count: number): void {
    entry.number(nextList - firstPart(segment.id))
    entry.number(Math.ceil(count / PART_POSTS))
    let last = -1
    for (let at = from, left = count; at < to; left -= PART_POSTS) {
      const inPart = Math.min(PART_POSTS, left)
      const end = endOf(list.ords, at, to, inPart)
      posts.clear()
      places.clear()
      encodeList(list, at, end, posts, places)
      insertList.run(nextList++, posts.view(), list.places ? places.view() : null)
      entry.number(list.ords[end - 1]! - last)
      last = list.ords[end - 1]!
      at = end
    }
  }

  return {
    add(term, df, list, from, to) {
      const count = countPosts(list.ords, from, to)
      posts.clear()
      places.clear()
      // No list of so many posts is short.
      if (count <= INLINE_BYTES) encodeList(list, from, to, posts, places)
      const isApart = count > INLINE_BYTES || posts.length + places.length > INLINE_BYTES
      entry.clear()
      entry.number(df ?? count)
      entry.number(count)
      entry.number((list.places ? HAS_PLACES : 0) | (isApart ? STANDS_APART : 0))
      if (isApart) writeApart(list, from, to, count)
      else {
        entry.number(posts.length)
        entry.append(posts)
        entry.append(places)
      }
      data.number(entry.length)
      data.append(entry)
      terms.push(term)
      note(term)
      termBytes += term.length * 2
      if (data.length + termBytes > PAGE_BYTES || terms.length >= PAGE_TERMS) closePage()
    },
    finish(rowids) {
      closePage()
      db.prepare(
        `update segment set is_serving = 1, posts = ?, newest = ?, oldest = ?, rowids = ?, firsts = ?, filter = ?
         where id = ?`,
      ).run(
        rowids.length,
        rowids[0] ?? null,
        rowids.at(-1) ?? null,
        new Uint8Array(rowids.buffer, rowids.byteOffset, rowids.byteLength),
        firsts.join(' '),
        createFilter(hashes.subarray(0, count)),
        segment.id,
      )
    },
  }
}

function countPosts(ords: ArrayLike<number>, from: number, to: number): number {
  let count = 0
  for (let i = from, last = -1; i < to; i++) {
    if (ords[i] !== last) count++
    last = ords[i]!
  }
  return count
}

/** Where the occurrences in the first `count` posts end. */
function endOf(ords: ArrayLike<number>, from: number, to: number, count: number): number {
  for (let i = from + 1, seen = 1; i < to; i++) {
    if (ords[i] !== ords[i - 1] && ++seen > count) return i
  }
  return to
}
