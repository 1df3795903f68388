import type { Expr } from '../plan.ts'
import { EVERY_POST } from '../terms.ts'

/** An expression in FTS5's language. Every term is quoted, so nothing a caller types is an operator. */
export function ftsQuery(expr: Expr | null): string {
  if (expr === null) return quote(EVERY_POST)
  switch (expr.kind) {
    case 'any':
      if (isMerged(expr)) return `${quote(expr.prefix!)} *`
      return expr.terms.length === 0 ? quote(':none') : group(expr.terms.map(quote), 'OR')
    case 'phrase':
      return quote(expr.toks.join(' '))
    case 'or':
      return group(expr.parts.map(ftsQuery), 'OR')
    case 'and': {
      const wanted = expr.parts.filter((part) => part.kind !== 'not').map(ftsQuery)
      const unwanted = expr.parts.flatMap((part) =>
        part.kind === 'not' ? ftsQuery(part.part) : [],
      )
      const positive = wanted.length > 0 ? group(wanted, 'AND') : quote(EVERY_POST)
      return unwanted.length > 0 ? `(${positive} NOT ${group(unwanted, 'OR')})` : positive
    }
    case 'not':
      return `(${quote(EVERY_POST)} NOT ${ftsQuery(expr.part)})`
  }
}

/**
 * What is left of it in a bucket that lacks some of its terms; undefined when nothing can match there. Most terms of a
 * query are in few buckets, and a term costs a look into every segment whether it is there or not.
 */
export function narrow(expr: Expr | null, df: (term: string) => number): Expr | undefined {
  if (expr === null) return EVERYTHING
  switch (expr.kind) {
    case 'any': {
      const terms = expr.terms.filter((term) => df(term) > 0)
      return terms.length > 0 ? { ...expr, terms } : undefined
    }
    case 'phrase':
      return expr.toks.every((tok) => df(tok) > 0) ? expr : undefined
    case 'not': {
      const part = narrow(expr.part, df)
      return part ? { kind: 'not', part } : EVERYTHING
    }
    case 'or': {
      const parts = expr.parts.flatMap((part) => narrow(part, df) ?? [])
      return parts.length > 1 ? { kind: 'or', parts } : parts[0]
    }
    case 'and': {
      const parts: Expr[] = []
      for (const part of expr.parts) {
        const left = narrow(part, df)
        if (!left) return undefined
        if (part.kind !== 'not' || left !== EVERYTHING) parts.push(left)
      }
      if (parts.length === 0) return EVERYTHING
      return parts.length > 1 ? { kind: 'and', parts } : parts[0]
    }
  }
}

const EVERYTHING: Expr = { kind: 'any', terms: [EVERY_POST] }

/** How many postings FTS5 may walk through for it, from the frequencies of its terms in one bucket. */
export function estimatePostings(expr: Expr | null, df: (term: string) => number): number {
  if (expr === null) return df(EVERY_POST)
  switch (expr.kind) {
    case 'any':
      return sum(expr.terms.map(df)) * (isMerged(expr) ? 2 : 1 + expr.terms.length * OR_TERM)
    case 'phrase': {
      const each = expr.toks.map(df)
      const places = 2 + each.length * PHRASE_PLACE
      return Math.min(places * sum(each), Math.min(...each) * SKIP * each.length)
    }
    case 'or':
      return (
        sum(expr.parts.map((part) => estimatePostings(part, df))) *
        (1 + expr.parts.length * OR_TERM)
      )
    case 'not':
      return df(EVERY_POST) + estimatePostings(expr.part, df)
    case 'and': {
      const wanted = expr.parts.filter((part) => part.kind !== 'not')
      const each = wanted.map((part) => estimatePostings(part, df))
      if (each.length === 0) each.push(df(EVERY_POST))
      // The rarest list leads; finding its next row in another list costs about as much as SKIP rows read in order.
      const rarest = Math.min(...each)
      const read = Math.min(sum(each), rarest * (1 + SKIP * (each.length - 1)))
      return (read + rarest) * (1 + each.length * AND_PART)
    }
  }
}

const SKIP = 160
/** Each row of an alternative is compared with the rows of all others. */
const OR_TERM = 0.2
/** What a further list, or a further place of a phrase, adds to each row of the others. */
const AND_PART = 0.06
const PHRASE_PLACE = 0.25

/** FTS5 merges the lists of a prefix before it begins, which beats comparing them row by row unless they are few. */
function isMerged({ terms, prefix }: Extract<Expr, { readonly kind: 'any' }>): boolean {
  return prefix !== undefined && terms.length > 4
}

/** Terms FTS5 looks up for it. */
export function countTerms(expr: Expr): number {
  switch (expr.kind) {
    case 'any':
      return isMerged(expr) ? 1 : expr.terms.length
    case 'phrase':
      return expr.toks.length
    case 'not':
      return countTerms(expr.part)
    case 'and':
    case 'or':
      return sum(expr.parts.map(countTerms))
  }
}

/**
 * Between how many posts of a bucket must match, told from frequencies alone. Those count a post again whenever it was
 * put again, and still when it is gone: `stale` is by how much a frequency may be too high.
 */
export function boundsOf(
  expr: Expr | null,
  live: number,
  df: (term: string) => number,
): { readonly least: number; readonly most: number } {
  const stale = df(EVERY_POST) - live
  const within = (part: Expr | null): { least: number; most: number } => {
    if (part === null) return { least: live, most: live }
    switch (part.kind) {
      case 'any': {
        const each = part.terms.map(df)
        return { least: Math.max(0, ...each) - stale, most: Math.min(live, sum(each)) }
      }
      case 'phrase':
        return { least: 0, most: Math.min(live, ...part.toks.map(df)) }
      case 'not': {
        const { least, most } = within(part.part)
        return { least: live - most, most: live - Math.max(0, least) }
      }
      case 'or': {
        const each = part.parts.map(within)
        return {
          least: Math.max(0, ...each.map((bounds) => bounds.least)),
          most: Math.min(live, sum(each.map((bounds) => bounds.most))),
        }
      }
      case 'and': {
        const each = part.parts.map(within)
        return {
          least: live - sum(each.map((bounds) => live - bounds.least)),
          most: Math.min(...each.map((bounds) => bounds.most)),
        }
      }
    }
  }
  return within(expr)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function group(parts: readonly string[], operator: 'AND' | 'OR'): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(` ${operator} `)})`
}

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
