/** The longest text that still reads as a headline, and the shortest that says something. */
const LONGEST = 120
const LEAST = 12
/** Only before something that can start a sentence: the full stop of `7.1. —` ends none. */
const SENTENCE_END = /[.!?…。！？؟।۔]+["'»”’)\]]*\s+(?=[\p{Lu}\p{Lo}\p{N}\p{Ps}\p{Pi}"])/gu
/** The full stop of an initial or a title ends no sentence either: `the U.S. Embassy`, `Rep. Massie`. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}])(?:\p{Lu}|Mrs?|Ms|Drs?|Prof|Rep|Sen|Gen|Gov|Col|Capt|Lt|Sgt|St|Sra?|им|ул|г|св)\.$/u

/** Where the headline of a text ends: its first line or sentence. 0 when it has none at its start. */
export function headlineEnd(text: string): number {
  // The snippet was cut from the middle of the text, so it starts with the rest of a sentence.
  if (text.startsWith('…')) return 0
  const line = text.indexOf('\n') === -1 ? text.length : text.indexOf('\n')
  if (line <= LONGEST) return hasWords(text.slice(0, line)) ? line : 0
  for (const { index, 0: end } of text.matchAll(SENTENCE_END)) {
    const at = index + end.trimEnd().length
    if (at > LONGEST) return 0
    if (ABBREVIATED.test(text.slice(0, at))) continue
    if (hasWords(text.slice(0, at))) return at
  }
  return 0
}

function hasWords(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST
}
