import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createBytes, doubled } from './bytes.ts'
import { encodeBits, isDense, rowsFor } from './bits.ts'
import { encodePositions } from './details.ts'
import { DETAILS, firstRow, LAYOUTS, type Details, type Sizes } from './layout.ts'
import { encodeGaps, type Occurrences } from './gaps.ts'
import { createFilter, filterHash } from './term-filter.ts'

export function takeSegmentId(statement: (sql: string) => StatementSync): number {
  const row = statement(
    `update meta set value = value + 1 where key = 'segments' returning value`,
  ).get()
  return Number(row!['value'])
}

/** A page is closed at about this size: finding a term means reading one and going through it. */
const PAGE_BYTES = 2_000
const PAGE_TERMS = 64

export interface NewSegment {
  readonly id: number
  readonly bucket: number
  readonly sizes: Sizes
}

export interface SegmentWriter {
  /** Terms come in ascending order; `df` also counts posts that were taken out since, null for none. */
  add(term: string, df: number | null, list: Occurrences, from: number, to: number): void
  finish(): void
}

export function createSegmentWriter(
  db: DatabaseSync,
  segment: NewSegment,
  rowids: Float64Array,
): SegmentWriter {
  const { sizes } = segment
  // Fails where the number was taken before.
  db.prepare(
    `insert into segment (id, bucket, is_serving, posts, rowids, firsts, filter)
     values (?, ?, 0, 0, '', '', '')`,
  ).run(segment.id, segment.bucket)
  const insertPage = db.prepare('insert into page (id, data) values (cast(? as integer), ?)')
  const insertList = db.prepare(
    'insert into list (id, posts, details) values (cast(? as integer), ?, ?)',
  )
  const page = createBytes()
  const data = createBytes()
  const entry = createBytes()
  const posts = createBytes()
  const details = createBytes()
  const scratch = { head: createBytes(), body: createBytes() }
  const firsts: string[] = []
  let hashes: Uint32Array = new Uint32Array(1_024)
  let count = 0
  let terms: string[] = []
  let termBytes = 0
  let nextPage = firstRow(segment.id)
  let nextList = firstRow(segment.id)

  function closePage(): void {
    if (terms.length === 0) return
    // A space around each, so that one can be found by itself.
    const text = ` ${terms.join(' ')} `
    page.clear()
    page.number(Buffer.byteLength(text))
    page.text(text)
    page.append(data)
    insertPage.run(nextPage++, page.view())
    firsts.push(terms[0]!)
    terms = []
    termBytes = 0
    data.clear()
  }

  function note(term: string): void {
    if (count === hashes.length) hashes = doubled(hashes)
    hashes[count++] = filterHash(term)
  }

  function writeDetails(kind: Details, { docs, positions }: Occurrences, from: number, to: number) {
    details.clear()
    if (kind === 'positions') encodePositions(docs, positions!, from, to, details, scratch)
  }

  function writeRow(kind: Details, list: Occurrences, from: number, to: number): void {
    writeDetails(kind, list, from, to)
    insertList.run(nextList++, posts.view(), kind ? details.view() : null)
  }

  function writeGaps(kind: Details, list: Occurrences, from: number, to: number, count: number) {
    entry.number(nextList - firstRow(segment.id))
    entry.number(Math.ceil(count / sizes.rowPosts))
    let last = -1
    for (let at = from, left = count; at < to; left -= sizes.rowPosts) {
      const end = endOf(list.docs, at, to, Math.min(sizes.rowPosts, left))
      posts.clear()
      encodeGaps(list.docs, at, end, posts, scratch)
      writeRow(kind, list, at, end)
      entry.number(list.docs[end - 1]! - last)
      last = list.docs[end - 1]!
      at = end
    }
  }

  function writeBits(kind: Details, list: Occurrences, from: number, to: number): void {
    entry.number(nextList - firstRow(segment.id))
    for (let row = 0, at = from; row < rowsFor(rowids.length, sizes.rowDocs); row++) {
      const start = row * sizes.rowDocs
      let end = at
      while (end < to && list.docs[end]! < start + sizes.rowDocs) end++
      posts.clear()
      encodeBits(list.docs, at, end, { start, posts: rowids.length, rowDocs: sizes.rowDocs }, posts)
      writeRow(kind, list, at, end)
      at = end
    }
  }

  return {
    add(term, df, list, from, to) {
      const count = countPosts(list.docs, from, to)
      const kind = list.positions ? 'positions' : null
      posts.clear()
      details.clear()
      // No list of so many posts is short.
      if (count <= sizes.inlineBytes) {
        encodeGaps(list.docs, from, to, posts, scratch)
        writeDetails(kind, list, from, to)
      }
      const isApart = count > sizes.inlineBytes || posts.length + details.length > sizes.inlineBytes
      const layout = !isApart ? 'inline' : isDense(count, rowids.length) ? 'bits' : 'gaps'
      entry.clear()
      entry.number(df ?? count)
      entry.number(count)
      entry.number(LAYOUTS.indexOf(layout) * DETAILS.length + DETAILS.indexOf(kind))
      if (layout === 'bits') writeBits(kind, list, from, to)
      else if (layout === 'gaps') writeGaps(kind, list, from, to, count)
      else {
        entry.number(posts.length)
        entry.append(posts)
        entry.append(details)
      }
      data.number(entry.length)
      data.append(entry)
      terms.push(term)
      note(term)
      termBytes += term.length * 2
      if (data.length + termBytes > PAGE_BYTES || terms.length >= PAGE_TERMS) closePage()
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

/** Where the occurrences in the first `count` posts end. */
function endOf(docs: ArrayLike<number>, from: number, to: number, count: number): number {
  for (let i = from + 1, seen = 1; i < to; i++) {
    if (docs[i] !== docs[i - 1] && ++seen > count) return i
  }
  return to
}
