import type { Correction, SearchQuery } from '../model/query.ts'
import { leavesOf, partsOf } from '../model/query-tree.ts'
import { analyzeQueryWord, type QueryTerm } from '../text/analyze-query.ts'
import { otherSpellings } from '../text/other-keys.ts'
import { editDistance } from '../text/suggest.ts'
import { NON_JOINER } from '../text/words.ts'
import type { Expr } from './expr.ts'
import type { Plan } from './plan.ts'
import { stemTerm } from './terms.ts'

interface Held {
  /** How many posts hold a term, deleted ones included. */
  df(term: string): number
  /** The same for what may be no word at all, where that is another way to look; of hundreds hardly one is asked for again. */
  dfOfRare?(term: string): number
  /** Within the plan's bounds. */
  hasMatch(expr: Expr): boolean
  /** Words that begin so, where the index can tell them at once. */
  beginning?(prefix: string): readonly string[]
  /** The nearest words found before, by word, until a frequency changes: finding them takes hundreds of looks. */
  readonly nearest?: Map<string, readonly string[]>
}

/** A shorter word is near to too many others, and a longer one to none. */
const MIN_LENGTH = 4
const MAX_LENGTH = 16
/** A whole question finds posts with some of its words, and has words that nobody writes. */
const MAX_WORDS = 6
/** Where more words are unknown it is another language that is missing, not a letter. */
const MAX_UNKNOWN = 2
/** From so many letters on there may be two slips, behind the first few letters. */
export const LONG_LENGTH = 8
export const SURE_LETTERS = 3
/** So many of the nearest words are tried. */
const MAX_TRIES = 5
/** Slips seldom hit the first letter: words with another one are taken where these are so much more frequent. */
const OTHER_FIRST = 1 / 20

const OTHER_SCRIPT = 1 / 20
/** Scripts that leave out vowels have a word for nearly every few letters. */
const SKELETON = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u
const MIN_SKELETON = 5
/** From so many letters on a word that one post holds is near enough to be told. */
const SURE_LENGTH = 6
const MAX_PAIRS = 2

/** Letters that may stand for a slip, by the script of the word, as they are when folded. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєў',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقکلمنهویپچژگ',
  'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
].map((letters) => [...letters])

/**
 * A word that no post holds keeps every post from matching, unless it is one of alternatives: then it matters where it is
 * looked for in its nearest spelling, too. It is told with the first page.
 */
export function mayHoldSlips(
  { root, after, match, strict }: Pick<SearchQuery, 'root' | 'after' | 'match' | 'strict'>,
  matches: number,
): boolean {
  if (after !== null) return false
  return matches === 0 || (match === 'stem' && !strict && hasAlternatives(root))
}

function hasAlternatives(root: SearchQuery['root']): boolean {
  return partsOf(root).some(({ kind }) => kind === 'or')
}

/**
 * For words that no post holds, the nearest word that posts do hold, if possible beside the query's other words. What only deleted posts hold, or none that the filters let through, is no word to tell.
 */
export function correct(
  { root }: Pick<SearchQuery, 'root'>,
  { expr, required, asked }: Pick<Plan, 'expr' | 'required' | 'asked'>,
  held: Held,
): Correction[] {
  const unknown = unknownWords({ root }, held)
  const lacking = new Set(unknown.map(({ text }) => asked.get(text)!))
  const isOneOf = expr !== null && hasAlternatives(root)
  return unknown.flatMap(({ text: word, tok, spell, start, end }) => {
    const near = nearestWords(tok, held).map(spell)
    const isHeldIn = (whole: Expr | null) => (nearest: string) => {
      const term = exprOf(nearest)
      const slip = { word: asked.get(word)!, nearest: term, lacking }
      const meant = whole === null ? undefined : asMeant(whole, slip)
      if (!meant) return held.hasMatch(term)
      const found = holds(meant, term) ? [meant] : [meant, term]
      // What another alternative finds as typed is nothing new.
      const parts: Expr[] = isOneOf ? [...found, { kind: 'not', part: expr! }] : found
      return held.hasMatch(parts.length > 1 ? { kind: 'and', parts } : parts[0]!)
    }
    const nearest = near.find(isHeldIn(expr)) ?? near.find(isHeldIn(required))
    return nearest === undefined ? [] : [{ word, nearest, start, end }]
  })
}

const JOINTS = new RegExp(`[-${NON_JOINER}]`, 'u')
/** Persian writes the parts of a compound with a non-joiner between them, and no hyphen. */
const jointOf = (tok: string) => (/^\p{Script=Arabic}/u.test(tok) ? NON_JOINER : '-')

/** Two words that were typed as one are asked for as a compound is. */
function exprOf(nearest: string): Expr {
  const toks = nearest.split(JOINTS)
  return toks.length > 1 ? { kind: 'phrase', toks } : { kind: 'any', terms: toks }
}

interface Slip {
  readonly word: Expr
  readonly nearest: Expr
  /** All words that no post holds: they would keep each other from being found. */
  readonly lacking: ReadonlySet<Expr>
}

/** What the query asks for with the nearest word in its place; of alternatives only those that hold the word. */
function asMeant(expr: Expr, slip: Slip): Expr | undefined {
  if (expr === slip.word) return slip.nearest
  if (slip.lacking.has(expr)) return undefined
  if (expr.kind !== 'and' && expr.kind !== 'or') return expr
  const own = expr.kind === 'or' ? expr.parts.filter((part) => holds(part, slip.word)) : []
  const parts = (own.length > 0 ? own : expr.parts).flatMap((part) => asMeant(part, slip) ?? [])
  return parts.length > 1 ? { kind: expr.kind, parts } : parts[0]
}

function holds(expr: Expr, word: Expr): boolean {
  return expr === word || ('parts' in expr && expr.parts.some((part) => holds(part, word)))
}

/** As typed, at its place in the query. */
interface Word extends Pick<Correction, 'start' | 'end'> {
  readonly text: string
  /** What of it no post holds: all of it, or one part of a compound. */
  readonly tok: string
  /** The whole with another word in the place of that. */
  spell(nearest: string): string
}

/** The words of a query that no post holds, where they may be slips. */
export function unknownWords(
  { root }: Pick<SearchQuery, 'root'>,
  held: Pick<Held, 'df'>,
): readonly Word[] {
  if (partsOf(root).filter(({ kind }) => kind === 'word').length > MAX_WORDS) return []
  const unknown = leavesOf(root, 'asked').flatMap((leaf) => {
    const doubt = leaf.kind === 'word' ? doubtOf(leaf.text, held) : undefined
    return doubt && leaf.kind === 'word' ? [{ ...leaf, ...doubt }] : []
  })
  return unknown.length > MAX_UNKNOWN ? [] : unknown
}

const COMPOUND = /^[\p{L}\p{M}]+[-\u2010\u2011][\p{L}\p{M}]+$/u

/** Undefined also for what is no word of letters or compound of two: nothing is known to be wrong with it. */
function doubtOf(word: string, { df }: Pick<Held, 'df'>): Pick<Word, 'tok' | 'spell'> | undefined {
  const { alternatives, entities } = analyzeQueryWord(word)
  const sequence = alternatives[0] ?? []
  if (entities.length > 0 || (sequence.length !== 1 && !COMPOUND.test(word))) return undefined
  // Another number is another thing.
  if (sequence.some(({ typed, isPrefix }) => isPrefix || /\p{N}/u.test(typed))) return undefined
  const isHeld = ({ toks, stems }: QueryTerm) =>
    stems.some((stem) => df(stemTerm(stem)) > 0) || toks.some((tok) => df(tok) > 0)
  const [lacked, ...others] = sequence.filter((term) => !isHeld(term))
  if (!lacked || others.length > 0) return undefined
  return {
    tok: lacked.toks[0]!,
    spell: (nearest) =>
      sequence.map((term) => (term === lacked ? nearest : term.toks[0]!)).join('-'),
  }
}

/** The best first. */
function nearestWords(tok: string, held: Held): readonly string[] {
  const found = held.nearest?.get(tok) ?? findNearest(tok, held)
  held.nearest?.set(tok, found)
  return found
}

function findNearest(tok: string, { df: known, dfOfRare: df = known, beginning }: Held): string[] {
  if (tok.length < MIN_LENGTH || tok.length > MAX_LENGTH) return []
  const weights = new Map<string, number>()
  for (const near of slips(tok)) {
    const posts = df(near)
    // What one post alone holds may be a slip itself: it comes last, and is no word to tell where a short one is near to many.
    const alone = tok.length < SURE_LENGTH ? 0 : posts / 1000
    const weight = posts > 1 ? posts * (near[0] === tok[0] ? 1 : OTHER_FIRST) : alone
    if (weight > 0) weights.set(near, weight)
  }
  for (const [pair, posts] of pairsOf(tok, df)) weights.set(pair, posts)
  if (weights.size === 0 && tok.length >= LONG_LENGTH) {
    for (const near of beginning?.(tok.slice(0, SURE_LETTERS)) ?? []) {
      if (near.length < MIN_LENGTH || Math.abs(near.length - tok.length) > 2) continue
      if (editDistance(tok, near) === 2) weights.set(near, df(near))
    }
  }
  // A short word of Latin letters is near to something nearly always: another script has to be far more frequent then.
  const share = weights.size === 0 ? 1 : OTHER_SCRIPT
  for (const other of otherSpellings(tok)) {
    const posts = df(other)
    // Without its article it is the same word.
    if (posts > 0 && tok.endsWith(other)) weights.set(other, Infinity)
    else if (posts >= (SKELETON.test(other) ? MIN_SKELETON : 1)) {
      // It may be a slip, too, and is then as near as that.
      weights.set(other, Math.max(posts * share, weights.get(other) ?? 0))
    }
  }
  const best = [...weights].sort((a, b) => b[1] - a[1])
  return best.slice(0, MAX_TRIES).map(([near]) => near)
}

/** Where a word may be two that were typed as one, such as wi-fi; the pairs that may be the most frequent. */
function pairsOf(tok: string, df: Held['df']): readonly (readonly [pair: string, posts: number])[] {
  // The longer part is hardly ever a word, and the other one then need not be looked for.
  const postsOf = (longer: string, shorter: string) => {
    const posts = df(longer)
    return posts > 0 ? Math.min(posts, df(shorter)) : 0
  }
  return splitsOf(tok)
    .map(([first, second]) => {
      const posts = first.length > second.length ? postsOf(first, second) : postsOf(second, first)
      return [first + jointOf(tok) + second, posts] as const
    })
    .filter(([, posts]) => posts > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_PAIRS)
}

/** The second part of a word says more than the first: t-shirt, e-mail. */
export function splitsOf(tok: string): (readonly [first: string, second: string])[] {
  if (tok.length < MIN_LENGTH || !/^\p{L}+$/u.test(tok)) return []
  const places = Array.from({ length: tok.length - 2 }, (_, i) => i + 1)
  return places.map((at) => [tok.slice(0, at), tok.slice(at)] as const)
}

/** Every word that one letter more, one fewer, another one or two changed places make of it. */
function* slips(word: string): Generator<string> {
  const letters = ALPHABETS.find((alphabet) => alphabet.includes(word[0]!)) ?? []
  for (let at = 0; at <= word.length; at++) {
    const [before, behind] = [word.slice(0, at), word.slice(at)]
    if (behind.length > 1 && behind[0] !== behind[1]) {
      yield before + behind[1]! + behind[0]! + behind.slice(2)
    }
    if (behind !== '' && word[at] !== word[at - 1]) yield before + behind.slice(1)
    for (const letter of letters) {
      if (letter !== word[at - 1]) yield before + letter + behind
      if (behind !== '' && letter !== behind[0]) yield before + letter + behind.slice(1)
    }
  }
}
