import type { Expr } from '../plan.ts'
import { ACCENT_PREFIX, EVERY_POST, STEM_PREFIX, wordHash } from '../terms.ts'

/** A post's words, by hash. */
export interface Words {
  readonly toks: Uint32Array
  readonly stems: Uint32Array
}

/**
 * Do these words satisfy the expression? Undefined where that depends on more than words. Asking the index about one
 * post costs it a look-up of every term, some thirty times what this does.
 */
export function holds(expr: Expr | null, words: Words): boolean | undefined {
  if (expr === null) return true
  switch (expr.kind) {
    case 'any': {
      let answer: boolean | undefined = false
      for (const term of expr.terms) {
        const each = holdsTerm(term, words)
        if (each === true) return true
        if (each === undefined) answer = undefined
      }
      return answer
    }
    case 'phrase': {
      const hashes = expr.toks.map((tok) => wordHash(tok))
      const last = words.toks.length - hashes.length
      for (let at = 0; at <= last; at++) {
        if (hashes.every((hash, i) => words.toks[at + i] === hash)) return true
      }
      return false
    }
    case 'not': {
      const answer = holds(expr.part, words)
      return answer === undefined ? undefined : !answer
    }
    case 'and':
    case 'or': {
      const decisive = expr.kind === 'or'
      let answer: boolean | undefined = !decisive
      for (const part of expr.parts) {
        const each = holds(part, words)
        if (each === decisive) return decisive
        if (each === undefined) answer = undefined
      }
      return answer
    }
  }
}

function holdsTerm(term: string, { toks, stems }: Words): boolean | undefined {
  if (term === EVERY_POST) return true
  if (term.startsWith(STEM_PREFIX)) return stems.includes(wordHash(term))
  // Asked for beside the stems of the word, which all other posts with the word have.
  if (term.startsWith(ACCENT_PREFIX)) return toks.includes(wordHash(term.slice(1)))
  return NO_WORD.test(term) ? undefined : toks.includes(wordHash(term))
}

const NO_WORD = /^[#@$]|:/
