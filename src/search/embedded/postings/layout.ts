/** What the writer and the reader of a segment agree on. */
import type { ByteReader, Bytes } from './bytes.ts'

/** The first row id of a segment, in the table of pages and in that of lists. */
export const firstRow = (segment: number) => segment * 2 ** 22

/** The first terms of all pages are stored as one text in UTF-8, separated by spaces. */
export function isStorable(term: string): boolean {
  return term !== '' && !term.includes(' ') && term.isWellFormed()
}

/** How a postings list is stored: as gaps in the dictionary entry, as gaps in rows of their own, or as rows of bits. */
const LAYOUTS = ['inline', 'gaps', 'bits'] as const
type Layout = (typeof LAYOUTS)[number]

/** The start of a dictionary entry. */
export interface Head {
  /** Also counts posts that merges have dropped since. */
  readonly df: number
  /** Number of posts in the list. */
  readonly count: number
  readonly layout: Layout
  readonly hasPositions: boolean
}

const IS_DF_OTHER = 1
const HAS_POSITIONS = 2
const LAYOUT = 4
const COUNT = 16

/** One number, and `df` as a second one if it differs. */
export function writeHead(into: Bytes, { df, count, layout, hasPositions }: Head): void {
  const flags = (df === count ? 0 : IS_DF_OTHER) + (hasPositions ? HAS_POSITIONS : 0)
  into.number(count * COUNT + LAYOUTS.indexOf(layout) * LAYOUT + flags)
  if (df !== count) into.number(df)
}

export function readHead(reader: ByteReader): Head {
  const head = reader.number()
  const count = Math.floor(head / COUNT)
  return {
    df: head & IS_DF_OTHER ? reader.number() : count,
    count,
    layout: LAYOUTS[(head % COUNT) >> 2]!,
    hasPositions: (head & HAS_POSITIONS) !== 0,
  }
}

/** The bytes of a list or of its details, the offset at which they start, and the number of posts they cover. */
export interface Stored {
  readonly bytes: Uint8Array
  readonly at: number
  readonly posts: number
}

/**
 * The sizes of the parts of a segment. A reader must use the sizes that the segment was written with. Tests make all of
 * them small, so that a few posts exercise every layout.
 */
export interface Sizes {
  /** A longer list is stored in rows of its own. */
  readonly inlineBytes: number
  /** Posts in a row of gaps: about 10 KB. */
  readonly rowPosts: number
  /** Doc ids in a row of bits: 8 KB. */
  readonly rowDocs: number
  /** Doc ids that a union of many lists covers at a time, one bit each. `rowDocs` must be a multiple of it. */
  readonly window: number
  /** Up to this many lists are united by comparing their cursors; more are united as bits. */
  readonly sideBySide: number
  /** Doc ids searched at a time by a scan from the oldest post, as cursors only go forward. */
  readonly backwardDocs: number
}

export const SIZES: Sizes = {
  inlineBytes: 400,
  rowPosts: 8_192,
  rowDocs: 2 ** 16,
  window: 2 ** 13,
  sideBySide: 6,
  backwardDocs: 2 ** 15,
}

export const BLOCK = 128

/** What reading a row is charged in postings. */
export const READ_COST = 512

/** What a search may still decode. */
export interface Budget {
  postings: number
}
