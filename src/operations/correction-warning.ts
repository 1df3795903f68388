import type { Correction } from '../model/query.ts'
import { withFinalLetters } from '../text/fold.ts'
import type { Warning } from './warnings.ts'

/** A word that no post holds may be a typing mistake; suggests the query as it may have been meant. */
export function correctionWarning(
  q: string,
  folded: readonly Correction[],
  found: 'shown' | 'later' | 'none',
): Warning[] {
  if (folded.length === 0) return []
  const corrections = folded.map((each) => ({
    ...each,
    nearest: withFinalLetters(each.nearest, each.word),
  }))
  let suggestion = q
  // From the end, so that earlier positions stay valid.
  for (const { word, nearest, start, end } of corrections.toReversed()) {
    const typed = suggestion.slice(start, end)
    const meant = typed.replace(word, () => nearest)
    suggestion = suggestion.slice(0, start) + meant + suggestion.slice(end)
  }
  const listed = (part: 'word' | 'nearest') =>
    [...new Set(corrections.map((each) => `\`${each[part]}\``))].join(' and ')
  const those =
    new Set(corrections.map(({ nearest }) => nearest)).size > 1 ? 'those words' : 'that word'
  const detail = `no post contains ${listed('word')}; did you mean ${listed('nearest')}?${FOLLOWS[found](those)}`
  return [{ code: 'word_not_held', parameter: 'q', detail, suggestion }]
}

const FOLLOWS = {
  shown: (words: string) => ` Posts with ${words} are shown.`,
  later: (words: string) => ` Posts with ${words} follow those found as typed.`,
  none: () => '',
}
