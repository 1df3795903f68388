/** What an engine must match: posting lists and how they combine. */
export type Expr =
  /** Posts that hold any of these terms. With `prefix`, they are the words that begin so, as far as the index told them. */
  | { readonly kind: 'any'; readonly terms: readonly string[]; readonly prefix?: string }
  /** Folded words one after the other; with `ending`, one of its words behind them. */
  | { readonly kind: 'phrase'; readonly toks: readonly string[]; readonly ending?: Ending }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expr[] }
  | { readonly kind: 'not'; readonly part: Expr }

/** The last word of a phrase: one of several, or any of which only the beginning was said. */
export interface Ending {
  readonly prefix?: string
  /** With `prefix`, the words that begin so, as far as the index told them. */
  readonly toks: readonly string[]
}

/** Every phrase that satisfies it. */
export function phrasesOf({
  toks,
  ending,
}: Extract<Expr, { kind: 'phrase' }>): readonly (readonly string[])[] {
  return ending ? ending.toks.map((last) => [...toks, last]) : [toks]
}

/** What planning asks of an index: how frequent its terms are. */
export interface TermStats {
  /** Posts ever put into the buckets still held. */
  readonly posts: number
  /** How often a post with the term was put: never too low, too high where posts were edited or deleted. */
  df(term: string): number
  /** Frequencies may lag behind: a term that nobody held a moment ago is searched for all the same. */
  readonly mayLag?: boolean
  /** Folded words that begin so, the most frequent of the first `look`, at most `limit`; `complete` when these are all. */
  expand(prefix: string, limit: number, look: number): Expansion
}

export interface Expansion {
  /** Empty where the engine expands prefixes by itself. */
  readonly toks: readonly string[]
  /** About how many posts hold any of them, where the words are not told. */
  readonly posts?: number
  readonly complete: boolean
}
