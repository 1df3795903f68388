/** Which posts of a segment were deleted since it was written: a bit each, by doc id. Null when none was. */
import type { Columns } from './columns.ts'
import { lowerBound, slotOf } from './rowid.ts'

export type DeletedDocs = Uint32Array | null

/**
 * Read from the columns once. Asking them again for every match would be simpler, but matches lie anywhere in them, and
 * waiting for memory took most of the time of a count.
 */
export function deletedDocsOf(rowids: Float64Array, columns: Columns): DeletedDocs {
  let deleted: DeletedDocs = null
  for (let doc = 0; doc < rowids.length; doc++) {
    if (columns.number[slotOf(rowids[doc]!)] === 0) deleted = mark(deleted, rowids, doc)
  }
  return deleted
}

/** The same with one more, if it is a post of this segment. */
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
