import type { Correction, SearchQuery } from '../model/query.ts'
import { leavesOf, partsOf } from '../model/query-tree.ts'
import { analyzeQueryWord, type QueryTerm } from '../text/analyze-query.ts'
import { otherSpellings } from '../text/other-spellings.ts'
import { editDistance } from '../text/suggest.ts'
import { NON_JOINER } from '../text/words.ts'
import type { Expr } from './expr.ts'
import type { Plan } from './plan.ts'
import { stemTerm } from './terms.ts'

interface TermLookup {
  /** How many posts hold a term, deleted ones included. */
  df(term: string): number
  /**
   * The same for a string that may be no word at all, for indexes that look those up differently: of hundreds tried,
   * hardly one is asked for again.
   */
  dfOfRare?(term: string): number
  /** The index of the first expression that any post matches within the plan's bounds of time and numbers; -1 if none. */
  firstMatched(exprs: readonly Expr[]): number
  /** Words that start with the prefix; undefined where the index cannot list them quickly. */
  expandPrefix?(prefix: string): readonly string[]
  /** Cache of the nearest words by word, valid until a frequency changes: finding them takes hundreds of lookups. */
  readonly nearest?: Map<string, readonly string[]>
}

/** Bounds on the letters of a word that is corrected: a shorter one is near to too many words, a longer one to none. */
const MIN_LENGTH = 4
const MAX_LENGTH = 16
/** Longer queries are not corrected: a question still finds posts with some of its words, and has words nobody writes. */
const MAX_WORDS = 6
/** If more words than this are unknown, the index probably lacks that language; it is not a misspelling. */
const MAX_UNKNOWN = 2
/** A word of at least this many letters may contain two slips, both after its first `SURE_LETTERS` letters. */
export const LONG_LENGTH = 8
export const SURE_LETTERS = 3
/** How many of the nearest words are tried. */
const MAX_TRIES = 5
/** Slips seldom hit the first letter: a word with another first letter counts only this fraction of its frequency. */
const OTHER_FIRST = 1 / 20

const OTHER_SCRIPT = 1 / 20
/** Scripts without vowels have a word for nearly every few letters: theirs must be held by `MIN_SKELETON` posts. */
const SKELETON = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u
const MIN_SKELETON = 5
/** For a word of at least this many letters, even a neighbour that only one post holds is suggested. */
const SURE_LENGTH = 6
const MAX_PAIRS = 2

/** Letters to insert or substitute when looking for slips, by script, in folded form. */
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
 * Whether to look for slips in the query; only for the first page. A word that no post holds keeps every post from matching,
 * unless it is one of several alternatives. There it matters too, if the search may use its nearest spelling.
 */
export function mayHaveTypos(
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
 * For each word that no post holds, the nearest word that posts do hold, preferably together with the query's other
 * words. A word that only deleted posts hold, or only posts that the filters exclude, is not suggested.
 */
export function correct(
  { root }: Pick<SearchQuery, 'root'>,
  { expr, required, asked }: Pick<Plan, 'expr' | 'required' | 'asked'>,
  held: TermLookup,
): Correction[] {
  const unknown = unknownWords({ root }, held)
  const lacking = new Set(unknown.map(({ text }) => asked.get(text)!))
  const isOneOf = expr !== null && hasAlternatives(root)
  return unknown.flatMap(({ text: word, tok, spell, start, end }) => {
    const near = nearestWords(tok, held).map(spell)
    const meantIn = (whole: Expr | null) => (nearest: string) => {
      const term = exprOf(nearest)
      const slip = { word: asked.get(word)!, nearest: term, lacking }
      const meant = whole === null ? undefined : asMeant(whole, slip)
      if (!meant) return term
      const found = holds(meant, term) ? [meant] : [meant, term]
      // A post that another alternative already finds as typed does not support the correction.
      const parts: Expr[] = isOneOf ? [...found, { kind: 'not', part: expr! }] : found
      return parts.length > 1 ? { kind: 'and' as const, parts } : parts[0]!
    }
    const first = held.firstMatched([...near.map(meantIn(expr)), ...near.map(meantIn(required))])
    return first < 0 ? [] : [{ word, nearest: near[first % near.length]!, start, end }]
  })
}

const JOINTS = new RegExp(`[-${NON_JOINER}]`, 'u')
/** Persian joins the parts of a compound with a zero-width non-joiner instead of a hyphen. */
const jointOf = (tok: string) => (/^\p{Script=Arabic}/u.test(tok) ? NON_JOINER : '-')

/** Two words that were typed as one are searched for as a compound, which is a phrase. */
function exprOf(nearest: string): Expr {
  const toks = nearest.split(JOINTS)
  return toks.length > 1 ? { kind: 'phrase', toks } : { kind: 'any', terms: toks }
}

interface Slip {
  readonly word: Expr
  readonly nearest: Expr
  /** All words that no post holds: left in the expression, each would keep the others from matching. */
  readonly lacking: ReadonlySet<Expr>
}

/** The query's expression with the nearest word in place of the slip; of alternatives, only those that contain the word. */
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

/** A word as typed, with its offsets in the query. */
interface Word extends Pick<Correction, 'start' | 'end'> {
  readonly text: string
  /** The part that no post holds: the whole word, or one part of a compound. */
  readonly tok: string
  /** The whole word with `nearest` in place of that part. */
  spell(nearest: string): string
}

/** The words of a query that no post holds and that may be misspelt. */
export function unknownWords(
  { root }: Pick<SearchQuery, 'root'>,
  held: Pick<TermLookup, 'df'>,
): readonly Word[] {
  if (partsOf(root).filter(({ kind }) => kind === 'word').length > MAX_WORDS) return []
  const unknown = leavesOf(root, 'asked').flatMap((leaf) => {
    const doubt = leaf.kind === 'word' ? doubtOf(leaf.text, held) : undefined
    return doubt && leaf.kind === 'word' ? [{ ...leaf, ...doubt }] : []
  })
  return unknown.length > MAX_UNKNOWN ? [] : unknown
}

const COMPOUND = /^[\p{L}\p{M}]+[-\u2010\u2011][\p{L}\p{M}]+$/u

/** Undefined if posts hold the word, or if it is neither a plain word nor a compound of two: such a word is not doubted. */
function doubtOf(
  word: string,
  { df }: Pick<TermLookup, 'df'>,
): Pick<Word, 'tok' | 'spell'> | undefined {
  const { alternatives, entities } = analyzeQueryWord(word)
  const sequence = alternatives[0] ?? []
  if (entities.length > 0 || (sequence.length !== 1 && !COMPOUND.test(word))) return undefined
  // A different number means a different thing, so numbers are never corrected.
  if (sequence.some(({ typed, isPrefix }) => isPrefix || /\p{N}/u.test(typed))) return undefined
  const isHeld = ({ toks, stems }: QueryTerm) =>
    toks.some((tok) => df(tok) > 0) || stems.some((stem) => df(stemTerm(stem)) > 0)
  const [lacked, ...others] = sequence.filter((term) => !isHeld(term))
  if (!lacked || others.length > 0) return undefined
  return {
    tok: lacked.toks[0]!,
    spell: (nearest) =>
      sequence.map((term) => (term === lacked ? nearest : term.toks[0]!)).join('-'),
  }
}

/** Best first. */
function nearestWords(tok: string, held: TermLookup): readonly string[] {
  const found = held.nearest?.get(tok) ?? findNearest(tok, held)
  held.nearest?.set(tok, found)
  return found
}

function findNearest(
  tok: string,
  { df: known, dfOfRare: df = known, expandPrefix }: TermLookup,
): string[] {
  if (tok.length < MIN_LENGTH || tok.length > MAX_LENGTH) return []
  const weights = new Map<string, number>()
  for (const near of slips(tok)) {
    const posts = df(near)
    // A word that only one post holds may be a slip itself: it comes last, or is dropped if `tok` is short.
    const alone = tok.length < SURE_LENGTH ? 0 : posts / 1000
    const weight = posts > 1 ? posts * (near[0] === tok[0] ? 1 : OTHER_FIRST) : alone
    if (weight > 0) weights.set(near, weight)
  }
  for (const [pair, posts] of pairsOf(tok, df)) weights.set(pair, posts)
  if (weights.size === 0 && tok.length >= LONG_LENGTH) {
    for (const near of expandPrefix?.(tok.slice(0, SURE_LETTERS)) ?? []) {
      if (near.length < MIN_LENGTH || Math.abs(near.length - tok.length) > 2) continue
      if (editDistance(tok, near) === 2) weights.set(near, df(near))
    }
  }
  // A short Latin word is nearly always near to something, so a word of another script must then be far more frequent.
  const share = weights.size === 0 ? 1 : OTHER_SCRIPT
  for (const other of otherSpellings(tok)) {
    const posts = df(other)
    // The same word without its article.
    if (posts > 0 && tok.endsWith(other)) weights.set(other, Infinity)
    else if (posts >= (SKELETON.test(other) ? MIN_SKELETON : 1)) {
      // The other spelling may also be a slip of `tok`; it keeps the higher of the two weights.
      weights.set(other, Math.max(posts * share, weights.get(other) ?? 0))
    }
  }
  const best = [...weights].sort((a, b) => b[1] - a[1])
  return best.slice(0, MAX_TRIES).map(([near]) => near)
}

/** Splits of a word that may be two words typed as one, such as wi-fi; the pairs that are likely the most frequent. */
function pairsOf(
  tok: string,
  df: TermLookup['df'],
): readonly (readonly [pair: string, posts: number])[] {
  // The longer part is hardly ever a word; then the shorter one need not be looked up.
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

/** All splits of a word in two. The first part may be a single letter (t-shirt, e-mail), the second has at least two. */
export function splitsOf(tok: string): (readonly [first: string, second: string])[] {
  if (tok.length < MIN_LENGTH || !/^\p{L}+$/u.test(tok)) return []
  const places = Array.from({ length: tok.length - 2 }, (_, i) => i + 1)
  return places.map((at) => [tok.slice(0, at), tok.slice(at)] as const)
}

/** Every string at edit distance one: a letter inserted, removed or replaced, or two neighbours swapped. */
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
