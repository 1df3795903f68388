import { phrasesOf, type Expr } from '../expr.ts'
import { ACCENT_PREFIX, EVERY_POST, isWord, STEM_PREFIX, stemTerm, wordHash } from '../terms.ts'

/**
 * A post's words as the ranker wants them, so that candidates need no second analysis: the hashes of its folded words,
 * then of its stems, in five characters each. As text, since SQLite hands a string over in half the time of a blob.
 */
export function packWords(toks: readonly string[], stems: readonly string[]): string {
  let packed = ''
  for (const tok of toks) packed += pack(wordHash(tok))
  for (const [i, tok] of toks.entries()) packed += pack(wordHash(stemTerm(stems[i] ?? tok)))
  return packed
}

export function unpackWords(packed: string): { toks: Uint32Array; stems: Uint32Array } {
  const words = new Uint32Array(packed.length / UNITS)
  for (let i = 0, at = 0; i < words.length; i++, at += UNITS) {
    words[i] =
      (packed.charCodeAt(at) - ZERO) |
      ((packed.charCodeAt(at + 1) - ZERO) << 6) |
      ((packed.charCodeAt(at + 2) - ZERO) << 12) |
      ((packed.charCodeAt(at + 3) - ZERO) << 18) |
      ((packed.charCodeAt(at + 4) - ZERO) << 24)
  }
  const half = words.length / 2
  return { toks: words.subarray(0, half), stems: words.subarray(half) }
}

/** 6 bits a character, from `0` on. */
const UNITS = 5
const ZERO = 48

function pack(hash: number): string {
  return String.fromCharCode(
    ZERO + (hash & 63),
    ZERO + ((hash >>> 6) & 63),
    ZERO + ((hash >>> 12) & 63),
    ZERO + ((hash >>> 18) & 63),
    ZERO + (hash >>> 24),
  )
}

/** A post's words, by hash. */
interface Words {
  readonly toks: Uint32Array
  readonly stems: Uint32Array
}

/** `hasFact` tells of the terms that are no words. */
type Holds = (words: Words, hasFact: (term: string) => boolean) => boolean

/**
 * Whether a post satisfies an expression, by its words. Asking the index about one post costs it a look-up of every term,
 * some thirty times what this does. Two words of one hash are taken for one, as the ranker takes them.
 */
export function createHolds(expr: Expr | null): Holds {
  if (expr === null) return () => true
  switch (expr.kind) {
    case 'any':
      return holdsAny(expr.terms)
    case 'phrase': {
      const phrases = phrasesOf(expr).map((toks) => toks.map((tok) => wordHash(tok)))
      return ({ toks }) => phrases.some((hashes) => holdsPhrase(toks, hashes))
    }
    case 'not': {
      const part = createHolds(expr.part)
      return (words, hasFact) => !part(words, hasFact)
    }
    case 'and': {
      const parts = expr.parts.map(createHolds)
      return (words, hasFact) => parts.every((part) => part(words, hasFact))
    }
    case 'or': {
      // One look at the words for all of them.
      const terms = expr.parts.flatMap((part) => (part.kind === 'any' ? part.terms : []))
      const others = expr.parts.filter((part) => part.kind !== 'any')
      const parts = [holdsAny(terms), ...others.map(createHolds)]
      return (words, hasFact) => parts.some((part) => part(words, hasFact))
    }
  }
}

function holdsPhrase(toks: Uint32Array, hashes: readonly number[]): boolean {
  for (let at = 0; at <= toks.length - hashes.length; at++) {
    if (hashes.every((hash, i) => toks[at + i] === hash)) return true
  }
  return false
}

function holdsAny(terms: readonly string[]): Holds {
  const inToks = new Set<number>()
  const inStems = new Set<number>()
  const facts: string[] = []
  for (const term of terms) {
    if (term === EVERY_POST) return () => true
    if (term.startsWith(STEM_PREFIX)) inStems.add(wordHash(term))
    // Asked for beside the stems of the word, which all other posts with the word have.
    else if (term.startsWith(ACCENT_PREFIX)) inToks.add(wordHash(term.slice(1)))
    else if (isWord(term)) inToks.add(wordHash(term))
    else facts.push(term)
  }
  return ({ toks, stems }, hasFact) => {
    if (inToks.size + inStems.size > 0) {
      for (let i = 0; i < toks.length; i++) {
        if (inStems.has(stems[i]!) || inToks.has(toks[i]!)) return true
      }
    }
    return facts.some(hasFact)
  }
}
