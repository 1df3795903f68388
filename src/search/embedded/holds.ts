import type { Expr } from '../expr.ts'
import { ACCENT_PREFIX, EVERY_POST, isWord, STEM_PREFIX, wordHash } from '../terms.ts'

/** A post's words, by hash. */
export interface Words {
  readonly toks: Uint32Array
  readonly stems: Uint32Array
}

/** Undefined where the answer depends on more than words. */
export type Holds = (words: Words) => boolean | undefined

/**
 * Whether words satisfy an expression. Asking the index about one post costs it a look-up of every term, some thirty
 * times what this does. Two words of one hash are taken for one, as the ranker takes them.
 */
export function createHolds(expr: Expr | null): Holds {
  if (expr === null) return () => true
  switch (expr.kind) {
    case 'any':
      return holdsAny(expr.terms)
    case 'phrase': {
      const hashes = expr.toks.map((tok) => wordHash(tok))
      return ({ toks }) => {
        for (let at = 0; at <= toks.length - hashes.length; at++) {
          if (hashes.every((hash, i) => toks[at + i] === hash)) return true
        }
        return false
      }
    }
    case 'not': {
      const part = createHolds(expr.part)
      return (words) => {
        const answer = part(words)
        return answer === undefined ? undefined : !answer
      }
    }
    case 'and':
      return combined(expr.parts.map(createHolds), false)
    case 'or': {
      // One look at the words for all of them.
      const terms = expr.parts.flatMap((part) => (part.kind === 'any' ? part.terms : []))
      const others = expr.parts.filter((part) => part.kind !== 'any')
      return combined([holdsAny(terms), ...others.map(createHolds)], true)
    }
  }
}

/** The first decisive part decides; else the opposite, unless a part does not know. */
function combined(parts: readonly Holds[], decisive: boolean): Holds {
  return (words) => {
    let answer: boolean | undefined = !decisive
    for (const part of parts) {
      const each = part(words)
      if (each === decisive) return decisive
      if (each === undefined) answer = undefined
    }
    return answer
  }
}

function holdsAny(terms: readonly string[]): Holds {
  const inToks = new Set<number>()
  const inStems = new Set<number>()
  let otherwise: false | undefined = false
  for (const term of terms) {
    if (term === EVERY_POST) return () => true
    if (term.startsWith(STEM_PREFIX)) inStems.add(wordHash(term))
    // Asked for beside the stems of the word, which all other posts with the word have.
    else if (term.startsWith(ACCENT_PREFIX)) inToks.add(wordHash(term.slice(1)))
    else if (isWord(term)) inToks.add(wordHash(term))
    else otherwise = undefined
  }
  return ({ toks, stems }) => {
    for (let i = 0; i < toks.length; i++) {
      if (inStems.has(stems[i]!) || inToks.has(toks[i]!)) return true
    }
    return otherwise
  }
}
