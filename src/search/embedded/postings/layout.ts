/** What the writer and the reader of a segment agree on. */
import type { ByteReader, Bytes } from './bytes.ts'

/** The first row number of a segment, in the table of pages and in that of lists. */
export const firstRow = (segment: number) => segment * 2 ** 22

/** The first terms of pages stand side by side with spaces between them, in SQLite's UTF-8. */
export function isStorable(term: string): boolean {
  return term !== '' && !term.includes(' ') && term.isWellFormed()
}

/** How a postings list is kept: as gaps in the dictionary entry, as gaps in rows of their own, or as rows of bits. */
const LAYOUTS = ['inline', 'gaps', 'bits'] as const
type Layout = (typeof LAYOUTS)[number]

/** What an entry of the dictionary begins with. */
export interface Head {
  /** Also counts posts that were taken out since. */
  readonly df: number
  /** Posts in the list. */
  readonly count: number
  readonly layout: Layout
  readonly hasPositions: boolean
}

const IS_DF_OTHER = 1
const HAS_POSITIONS = 2
const LAYOUT = 4
const COUNT = 16

/** One number, and one more where posts were taken out. */
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

/** Bytes of a list, or of its details, where they begin, and how many posts they are of. */
export interface Stored {
  readonly bytes: Uint8Array
  readonly at: number
  readonly posts: number
}

/**
 * How large the parts of a segment are. A reader must use the sizes its segment was written with. Tests make all of them
 * small, so that a few posts need every layout.
 */
export interface Sizes {
  /** A longer list stands in rows of its own. */
  readonly inlineBytes: number
  /** Posts in a row of gaps: 10 KB or so. */
  readonly rowPosts: number
  /** Doc ids in a row of bits: 8 KB. */
  readonly rowDocs: number
  /** Doc ids that a union of many lists covers at a time, a bit each. A row of bits must be a multiple of it. */
  readonly window: number
  /** So many lists are united by comparing their cursors; more are united as bits. */
  readonly sideBySide: number
  /** Doc ids searched at a time by a scan from the oldest post: cursors only go forward. */
  readonly backwardDocs: number
  /** Matches are cached for segments of so many posts and more, and at most so many a segment. */
  readonly cacheFrom: number
  readonly cached: number
}

export const SIZES: Sizes = {
  inlineBytes: 400,
  rowPosts: 8_192,
  rowDocs: 2 ** 16,
  window: 2 ** 13,
  sideBySide: 6,
  backwardDocs: 2 ** 15,
  cacheFrom: 4_096,
  cached: 16_384,
}

export const BLOCK = 128

/** What reading a row costs, in postings decoded. */
export const READ = 512

/** What a search may still decode. */
export interface Budget {
  postings: number
}
