/**
 * The port of the postings: everything that searches and the writer may call. Nothing here knows of queries, ranks or
 * pages. An engine that offers the same could take its place. `architecture.test.ts` keeps the other files private.
 */

/** Reading: a segment finds terms and their document frequencies. */
export { loadSegment, type Segment } from './segment.ts'
export { filterHash } from './term-filter.ts'

/** Searching: a cursor visits the doc ids that match an expression, or those of one term. */
export { openCursor, openTerm, type CursorSource } from './open-cursor.ts'
export type { Cursor, TermCursor } from './cursors.ts'
export type { Positions } from './details.ts'
export type { Budget } from './layout.ts'

/** Writing: a batch becomes a segment, and segments are merged. */
export { buildSegment, type Terms } from './segment-build.ts'
export { takeSegmentId } from './segment-writer.ts'
export { createMerger, MERGE_POLICY, type MergePolicy, type Merger, type Pace } from './merge.ts'
export { SIZES, type Sizes } from './layout.ts'
