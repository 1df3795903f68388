import { APOSTROPHES } from './characters.ts'
import { foldWord, lowerWord } from './fold.ts'

/** Words with an apostrophe or a non-joiner inside: which part of them is the word, and when they are several words. */

/** A piece of a word: UTF-16 offsets into it. */
interface Piece {
  readonly start: number
  readonly end: number
}

/** Articles and particles that French, Italian and Catalan elide. */
const ELIDED = new Set(
  'l d j m n s t c qu jusqu lorsqu puisqu quoiqu quelqu dell all dall nell sull un dagl degl agl negl sugl quest quell gl bell sant anch cos'.split(
    ' ',
  ),
)
export const NON_JOINER = '\u200c'

/** Persian endings and prefixes belong to their word; other parts of a compound are words of their own. */
const PERSIAN_SUFFIXES = new Set(
  'ها های هایی هایم هایت هایش هایمان هایتان هایشان ام ات اش مان تان شان ای اند ایم اید تر ترین ترها یی ی هایه'
    .split(' ')
    .map(foldWord),
)
const PERSIAN_PREFIXES = new Set(['می', 'نمی'].map(foldWord))

/** Whether one of two words is a Persian ending or prefix of the other, which many people separate by a space. */
export function isPersianAffix(first: string, second: string): boolean {
  if (!/^[\u0600-\u06ff]/.test(first)) return false
  return (
    PERSIAN_PREFIXES.has(foldWord(lowerWord(first))) ||
    PERSIAN_SUFFIXES.has(foldWord(lowerWord(second)))
  )
}

/** `cutsSuffix`: cut what follows an apostrophe, as Turkish and Azerbaijani write a name's endings after one. */
export function piecesOf(raw: string, cutsSuffix: boolean): readonly Piece[] {
  if (raw.includes(NON_JOINER)) return joinedPieces(raw)
  const at = raw.search(APOSTROPHES)
  const whole = { start: 0, end: raw.length }
  if (at < 0 || !/^[\p{Script=Latin}]/u.test(raw)) return [whole]
  const rest = raw.length - at - 1
  if (rest >= 2 && ELIDED.has(lowerWord(raw.slice(0, at)))) {
    return [{ start: at + 1, end: raw.length }]
  }
  const last = raw.slice(at + 1)
  if (last === 's' || last === 'S' || (cutsSuffix && at >= 2)) return [{ start: 0, end: at }]
  return [whole]
}

/** The part of a word to be stemmed. A Persian ending after a non-joiner is certainly one (هسته‌ای is a form of هسته). */
export function stemSource(raw: string): string {
  if (!raw.includes(NON_JOINER)) return raw
  const parts = raw.split(NON_JOINER)
  while (parts.length > 1 && PERSIAN_SUFFIXES.has(foldWord(lowerWord(parts.at(-1)!)))) parts.pop()
  return parts.join('')
}

/** Turkish and Azerbaijani endings that are written after an apostrophe: of case, number and possession, and the copula. */
const TURKISH_ENDING =
  /^(?:[dt][aeə]n?(?:k[iı].*)?|[yn]?[ıiuüaeə](?:n(?:k[iı].*)?)?|y?l[aeə](?:r.*)?|s[ıiuü](?:n.*)?|[dt][ıiuü]r.*|[cç][aeə]|l[ıiuü](?:k.*)?)$/
const APOSTROPHE_WORD = new RegExp(
  String.raw`(?<!\p{Script=Latin})(\p{Script=Latin}{2,})(?:${APOSTROPHES.source})(\p{Script=Latin}+)`,
  'gu',
)

/**
 * Whether a query holds a word with an ending that is cut off in Turkish and Azerbaijani posts: `Ankara'da` has one; `won't`,
 * `we're` and `Sana'a` have none.
 */
export function mayHaveCutEnding(text: string): boolean {
  for (const [, name, tail] of text.matchAll(APOSTROPHE_WORD)) {
    if (TURKISH_ENDING.test(lowerWord(tail!)) && mayTakeEnding(name!, lowerWord(tail!))) return true
  }
  return false
}

function mayTakeEnding(name: string, tail: string): boolean {
  // Uzbek has words such as va'da, and writes letters as o' and g': bog'i.
  if (name.length < 3 && name !== name.toUpperCase()) return false
  if (name.length < 6 && /[go]$/i.test(name)) return false
  // An ending in a vowel follows no other vowel, except one that is not spoken, as in Google'ın.
  return !/^[ıiuüaeə]/.test(tail) || !/[aıioöuüə]$/i.test(name)
}

function joinedPieces(raw: string): Piece[] {
  const pieces: { start: number; end: number }[] = []
  let start = 0
  let hangs = false
  for (const part of raw.split(NON_JOINER)) {
    const end = start + part.length
    const folded = foldWord(lowerWord(part))
    const last = pieces.at(-1)
    const isArabic = /^\p{Script=Arabic}/u.test(part)
    if (last && (hangs || !isArabic || PERSIAN_SUFFIXES.has(folded))) last.end = end
    else if (part !== '') pieces.push({ start, end })
    hangs = PERSIAN_PREFIXES.has(folded)
    start = end + 1
  }
  return pieces
}
