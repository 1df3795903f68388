/**
 * Splits scripts written without spaces into words by ICU's dictionaries. Node brings its own ICU, so all machines split
 * alike. Intl.Segmenter is slow, so only runs of such scripts come here, in pieces of bounded length.
 */
let segmenter: Intl.Segmenter | undefined

const PIECE = 512

export function eachSegment(
  text: string,
  start: number,
  end: number,
  visit: (start: number, end: number) => void,
): void {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  for (let from = start; from < end; from += PIECE) {
    const piece = text.slice(from, Math.min(end, from + PIECE))
    for (const { index, segment, isWordLike } of segmenter.segment(piece)) {
      if (isWordLike) visit(from + index, from + index + segment.length)
    }
  }
}
