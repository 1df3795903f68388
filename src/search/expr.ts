/** What an engine must match: posting lists, and how they are combined. */
export type Expr =
  /** Posts that hold any of the terms. With `prefix`, the terms are the known words that start with it. */
  | { readonly kind: 'any'; readonly terms: readonly string[]; readonly prefix?: string }
  /** The folded words in a row; with `ending`, one of its words follows them. */
  | { readonly kind: 'phrase'; readonly toks: readonly string[]; readonly ending?: Ending }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expr[] }
  | { readonly kind: 'not'; readonly part: Expr }

/** The last word of a phrase: one of several words, or any word that starts with `prefix`. */
export interface Ending {
  readonly prefix?: string
  /** With `prefix`, the known words that start with it. */
  readonly toks: readonly string[]
}

/** Every plain phrase that satisfies the expression. */
export function phrasesOf({
  toks,
  ending,
}: Extract<Expr, { kind: 'phrase' }>): readonly (readonly string[])[] {
  return ending ? ending.toks.map((last) => [...toks, last]) : [toks]
}

/** The term frequencies that planning asks an index for. */
export interface TermStats {
  /** Posts ever put into the buckets that are still held. */
  readonly posts: number
  /** How often posts with the term were put: never too low, too high if posts were edited or deleted since. */
  df(term: string): number
  /** True if frequencies may be out of date: a term with frequency 0 is then searched for all the same. */
  readonly mayLag?: boolean
  /** Folded words with this prefix: the `limit` most frequent of the first `look`. `complete` if there are no others. */
  expand(prefix: string, limit: number, look: number): Expansion
}

export interface Expansion {
  /** Empty if the engine expands prefixes itself. */
  readonly toks: readonly string[]
  /** Estimated number of posts that hold any of the words; only set where the words are not listed. */
  readonly posts?: number
  readonly complete: boolean
}
