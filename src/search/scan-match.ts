import type { IndexDocument } from './search-index.ts'
import { phrasesOf, type Expr } from './expr.ts'
import type { ColumnBounds } from './plan.ts'
import { accentedTerm, factTerms, stemTerm, wordHash } from './terms.ts'

/** A post as the oracle keeps it. */
export interface Kept {
  document: IndexDocument
  readonly terms: ReadonlySet<string>
  readonly toks: Uint32Array
  readonly stems: Uint32Array
  /** How long it is. */
  readonly words: number
  readonly sec: number
  readonly channelId: number
  readonly number: number
  readonly prior: number
  readonly group: number
  seq: number
  isCopy: boolean
  views: number
  reactions: number
}

export function termsOf(document: IndexDocument): Set<string> {
  return new Set([
    ...document.toks,
    ...document.stems.map(stemTerm),
    ...document.accented.map(accentedTerm),
    ...factTerms(document),
  ])
}

export function hashesOf(document: IndexDocument): { toks: Uint32Array; stems: Uint32Array } {
  return {
    toks: Uint32Array.from(document.toks, (tok) => wordHash(tok)),
    stems: Uint32Array.from(document.stems, (stem) => wordHash(stemTerm(stem))),
  }
}

export function matches(expr: Expr | null, kept: Kept): boolean {
  if (expr === null) return true
  switch (expr.kind) {
    case 'any':
      return expr.terms.some((term) => kept.terms.has(term))
    case 'phrase':
      return phrasesOf(expr).some((toks) =>
        kept.document.toks.some((_, at) =>
          toks.every((tok, i) => kept.document.toks[at + i] === tok),
        ),
      )
    case 'and':
      return expr.parts.every((part) => matches(part, kept))
    case 'or':
      return expr.parts.some((part) => matches(part, kept))
    case 'not':
      return !matches(expr.part, kept)
  }
}

export function isWithin(bounds: ColumnBounds, kept: Kept, subscribers: number): boolean {
  return (
    kept.views >= bounds.minViews &&
    kept.views < bounds.maxViews &&
    kept.reactions >= bounds.minReactions &&
    Math.floor(kept.document.firstCapturedAt / 1000) >= bounds.arrivedSince &&
    subscribers >= bounds.minSubscribers
  )
}
