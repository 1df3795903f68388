import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Bytes, doubled } from './bytes.ts'
import { encodeBits, isDense, rowsFor } from './bits.ts'
import { encodePositions } from './details.ts'
import { firstRow, writeHead, type Sizes } from './layout.ts'
import { encodeGaps, type Occurrences } from './gaps.ts'
import { createFilter, filterHash } from './term-filter.ts'

export function takeSegmentId(statement: (sql: string) => StatementSync): number {
  const row = statement(
    `update meta set value = value + 1 where key = 'segments' returning value`,
  ).get()
  return Number(row!['value'])
}

/** Two pages of the dictionary just fit into one SQLite page. */
const PAGE_BYTES = 2_030
/** Upper bound of the bytes that the lengths of a term and of its entry take on a page. */
const LENGTHS_BYTES = 6

export interface NewSegment {
  readonly id: number
  readonly bucket: number
  readonly sizes: Sizes
}

export interface SegmentWriter {
  /** Terms must come in ascending order. `df` also counts posts dropped by merges; null if there are none. */
  add(term: string, df: number | null, list: Occurrences, from: number, to: number): void
  finish(): void
}

export function createSegmentWriter(
  db: DatabaseSync,
  segment: NewSegment,
  rowids: Float64Array,
): SegmentWriter {
  const { sizes } = segment
  // Fails if the id has been used before.
  db.prepare(
    `insert into segment (id, bucket, is_serving, posts, rowids, firsts, filter)
     values (?, ?, 0, 0, '', '', '')`,
  ).run(segment.id, segment.bucket)
  const insertPage = db.prepare('insert into page (id, data) values (cast(? as integer), ?)')
  const insertList = db.prepare(
    'insert into list (id, posts, details) values (cast(? as integer), ?, ?)',
  )
  const page = new Bytes()
  const entry = new Bytes()
  const posts = new Bytes()
  const details = new Bytes()
  const scratch = { head: new Bytes(), body: new Bytes() }
  const firsts: string[] = []
  /** The number of each row, by its content. */
  const rowOf = new Map<string, number>()
  let hashes: Uint32Array = new Uint32Array(1_024)
  let count = 0
  let lastTerm = Buffer.alloc(0)

  function closePage(): void {
    if (page.length > 0) insertPage.run(firstRow(segment.id) + firsts.length - 1, page.view())
    page.clear()
  }

  function note(term: string): void {
    if (count === hashes.length) hashes = doubled(hashes)
    hashes[count++] = filterHash(term)
  }

  /** Writes a term without the prefix that it shares with the previous term. */
  function writeEntry(term: string): void {
    const bytes = Buffer.from(term)
    let shared = 0
    while (shared < lastTerm.length && bytes[shared] === lastTerm[shared]) shared++
    const length = bytes.length - shared + entry.length + LENGTHS_BYTES
    if (page.length + length > PAGE_BYTES) closePage()
    if (page.length === 0) {
      firsts.push(term)
      shared = 0
    }
    page.number(shared)
    page.number(bytes.length - shared)
    page.copy(bytes, shared)
    page.number(entry.length)
    page.append(entry)
    lastTerm = bytes
    note(term)
  }

  function writeDetails({ docs, positions }: Occurrences, from: number, to: number): void {
    details.clear()
    if (positions) encodePositions(docs, positions, from, to, details, scratch)
  }

  /** A row with the same content is not written again: many stems belong to one word, and so have its list. */
  function writeRow(list: Occurrences, from: number, to: number): void {
    writeDetails(list, from, to)
    const key = hash('sha1', posts.view(), 'base64') + hash('sha1', details.view(), 'base64')
    let row = rowOf.get(key)
    if (row === undefined) {
      rowOf.set(key, (row = rowOf.size))
      insertList.run(
        firstRow(segment.id) + row,
        posts.view(),
        list.positions ? details.view() : null,
      )
    }
    entry.number(row)
    entry.number(countPosts(list.docs, from, to))
  }

  function writeGaps(list: Occurrences, from: number, to: number, count: number): void {
    entry.number(Math.ceil(count / sizes.rowPosts))
    let last = -1
    for (let at = from, left = count; at < to; left -= sizes.rowPosts) {
      const end = endOf(list.docs, at, to, Math.min(sizes.rowPosts, left))
      posts.clear()
      encodeGaps(list.docs, at, end, posts, scratch)
      writeRow(list, at, end)
      entry.number(list.docs[end - 1]! - last)
      last = list.docs[end - 1]!
      at = end
    }
  }

  function writeBits(list: Occurrences, from: number, to: number): void {
    const rows = rowsFor(rowids.length, sizes.rowDocs)
    entry.number(rows)
    for (let row = 0, at = from; row < rows; row++) {
      const start = row * sizes.rowDocs
      let end = at
      while (end < to && list.docs[end]! < start + sizes.rowDocs) end++
      posts.clear()
      encodeBits(list.docs, at, end, { start, posts: rowids.length, rowDocs: sizes.rowDocs }, posts)
      writeRow(list, at, end)
      at = end
    }
  }

  return {
    add(term, df, list, from, to) {
      const count = countPosts(list.docs, from, to)
      posts.clear()
      details.clear()
      // A list of more posts than this cannot be short enough.
      if (count <= sizes.inlineBytes) {
        encodeGaps(list.docs, from, to, posts, scratch)
        writeDetails(list, from, to)
      }
      const isApart = count > sizes.inlineBytes || posts.length + details.length > sizes.inlineBytes
      const layout = !isApart ? 'inline' : isDense(count, rowids.length) ? 'bits' : 'gaps'
      entry.clear()
      writeHead(entry, { df: df ?? count, count, layout, hasPositions: list.positions !== null })
      if (layout === 'bits') writeBits(list, from, to)
      else if (layout === 'gaps') writeGaps(list, from, to, count)
      else {
        if (list.positions) entry.number(posts.length)
        entry.append(posts)
        entry.append(details)
      }
      writeEntry(term)
    },
    finish() {
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

function countPosts(docs: ArrayLike<number>, from: number, to: number): number {
  let count = 0
  for (let i = from, last = -1; i < to; i++) {
    if (docs[i] !== last) count++
    last = docs[i]!
  }
  return count
}

/** The end of the occurrences in the first `count` posts. */
function endOf(docs: ArrayLike<number>, from: number, to: number, count: number): number {
  for (let i = from + 1, seen = 1; i < to; i++) {
    if (docs[i] !== docs[i - 1] && ++seen > count) return i
  }
  return to
}
