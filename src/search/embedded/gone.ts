/** Which posts of a segment were taken out since it was written: a bit each, by ordinal. Null when none was. */
import type { Columns } from './columns.ts'
import { placeOf, slotOf } from './rowid.ts'

export type Gone = Uint32Array | null

/**
 * As the columns tell. Asking the columns for every match would do without, but rowids and columns are large and a match
 * is anywhere in them: waiting for memory took most of the time of a count.
 */
export function goneOf(rowids: Float64Array, columns: Columns): Gone {
  let gone: Gone = null
  for (let ord = 0; ord < rowids.length; ord++) {
    if (columns.number[slotOf(rowids[ord]!)] === 0) gone = mark(gone, rowids, ord)
  }
  return gone
}

/** The same with one more, if it is a post of this segment. */
export function withGone(gone: Gone, rowids: Float64Array, rowid: number): Gone {
  const ord = placeOf(rowids, rowid)
  return rowids[ord] === rowid ? mark(gone, rowids, ord) : gone
}

export function isGone(gone: Gone, ord: number): boolean {
  return gone !== null && (gone[ord >>> 5]! & (1 << (ord & 31))) !== 0
}

function mark(gone: Gone, rowids: Float64Array, ord: number): Uint32Array {
  const marked = gone ?? new Uint32Array(Math.ceil(rowids.length / 32))
  marked[ord >>> 5]! |= 1 << (ord & 31)
  return marked
}
