/** How lists are laid out and gone through. Whoever reads must use the sizes that were written with; tests make all of them small, so that a few posts are laid out in every way. */
export interface Sizes {
  /** A longer list stands in rows of its own. */
  readonly inlineBytes: number
  /** Posts in a row of gaps: 10 KB or so. */
  readonly rowPosts: number
  /** Ordinals in a row of bits: 8 KB. */
  readonly rowOrds: number
  /** Posts that alternatives are laid over at a time, a bit each. A row of bits must be a multiple of it. */
  readonly window: number
  /** So many alternatives are gone through side by side; more are laid over one another. */
  readonly sideBySide: number
  /** Posts gone through at a time from the oldest end: lists lead forward only. */
  readonly stretch: number
  /** What matches in a segment is remembered from so many posts on, and so many matches. */
  readonly knownFrom: number
  readonly known: number
}

export const SIZES: Sizes = {
  inlineBytes: 400,
  rowPosts: 8_192,
  rowOrds: 2 ** 16,
  window: 2 ** 13,
  sideBySide: 6,
  stretch: 2 ** 15,
  knownFrom: 4_096,
  known: 16_384,
}
