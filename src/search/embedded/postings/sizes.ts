/** How lists are laid out and gone through. Tests make all of it small, so that a few posts are laid out in every way. */
export const SIZES = {
  /** A longer list stands in rows of its own. */
  inlineBytes: 400,
  /** Posts in a row of gaps: 10 KB or so. */
  rowPosts: 8_192,
  /** Ordinals in a row of bits: 8 KB. */
  rowOrds: 2 ** 16,
  /** Posts that alternatives are laid over at a time, a bit each. A row of bits must be a multiple of it. */
  window: 2 ** 13,
  /** So many alternatives are gone through side by side; more are laid over one another. */
  sideBySide: 6,
  /** Posts gone through at a time from the oldest end: lists lead forward only. */
  stretch: 2 ** 15,
  /** What matches in a segment is remembered from so many posts on, and so many matches. */
  knownFrom: 4_096,
  known: 16_384,
}
