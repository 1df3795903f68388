/** The posts of a segment that were deleted since it was written: one bit per doc id. Null if there are none. */
import type { StatementSync } from 'node:sqlite'
import { lowerBound } from '../../model/lower-bound.ts'
import { CHUNK, chunkColumns, type Columns } from './columns.ts'
import { slotOf } from './rowid.ts'
import { chunkId } from './schema.ts'

export type DeletedDocs = Uint32Array | null

/**
 * Computed from the columns once. Asking the columns for every match would be simpler, but matches are scattered over
 * them, and memory latency took most of the time of a count.
 */
export function deletedDocsOf(rowids: Float64Array, columns: Columns): DeletedDocs {
  let deleted: DeletedDocs = null
  for (let doc = 0; doc < rowids.length; doc++) {
    if (columns.number[slotOf(rowids[doc]!)] === 0) deleted = mark(deleted, rowids, doc)
  }
  return deleted
}

/** Marks one more post as deleted, if it is in this segment. */
export function withDeleted(
  deleted: DeletedDocs,
  rowids: Float64Array,
  rowid: number,
): DeletedDocs {
  const doc = lowerBound(rowids, rowid)
  return rowids[doc] === rowid ? mark(deleted, rowids, doc) : deleted
}

export function isDeleted(deleted: DeletedDocs, doc: number): boolean {
  return deleted !== null && (deleted[doc >>> 5]! & (1 << (doc & 31))) !== 0
}

function mark(deleted: DeletedDocs, rowids: Float64Array, doc: number): Uint32Array {
  const marked = deleted ?? new Uint32Array(Math.ceil(rowids.length / 32))
  marked[doc >>> 5]! |= 1 << (doc & 31)
  return marked
}

/** Whether the post in a slot still exists, according to the columns. */
export function createLiveness(
  statement: (sql: string) => StatementSync,
  bucket: number,
): (slot: number) => boolean {
  const read = statement('select data from chunk where id = ?')
  const chunks = new Map<number, Uint32Array>()
  return (slot) => {
    const chunk = Math.floor(slot / CHUNK)
    let numbers = chunks.get(chunk)
    if (!numbers) {
      const { number } = chunkColumns(read.get(chunkId(bucket, chunk))!['data'] as Uint8Array)
      chunks.set(chunk, (numbers = number.slice()))
    }
    return numbers[slot % CHUNK] !== 0
  }
}
