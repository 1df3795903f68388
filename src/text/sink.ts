/** What the scanner finds, in the order of the text. Offsets are UTF-16. */
export interface Sink {
  /** `isCompound`: the word holds an apostrophe or a non-joiner, at which it may have to be split. */
  word(start: number, end: number, isCompound: boolean): void
  /** A run of Han, kana or Hangul. */
  ideographs(start: number, end: number): void
  /** A run of a script without spaces that is split by a dictionary. */
  southeast(start: number, end: number): void
  entity(term: string, start: number, end: number): void
}
