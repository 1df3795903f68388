/**
 * Splits scripts written without spaces into words by ICU's dictionaries. Node brings its own ICU, so all machines split
 * alike. Intl.Segmenter is slow, so only runs of such scripts come here, in pieces of bounded length.
 */
let segmenter: Intl.Segmenter | undefined

const PIECE = 512
/** ICU decides by the next two words, so a piece is only trusted this far before its end; the next begins where that ends. */
const AHEAD = 64

export function eachSegment(
  text: string,
  start: number,
  end: number,
  visit: (start: number, end: number) => void,
): void {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  for (let from = start; from < end;) {
    const cut = from + PIECE
    const trusted = cut < end ? cut - AHEAD : end
    let next = from
    for (const { segment, isWordLike } of segmenter.segment(text.slice(from, Math.min(end, cut)))) {
      const to = next + segment.length
      if (to > trusted && next > from) break
      if (isWordLike) visit(next, to)
      next = to
    }
    from = next
  }
}
