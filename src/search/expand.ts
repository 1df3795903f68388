import { LIMITS } from './limits.ts'

/** The most frequent of the terms that begin so; of a family too large to look at, of its first ones. */
export function mostFrequent(
  found: readonly { readonly term: string; readonly df: number }[],
  limit: number,
): { toks: string[]; complete: boolean } {
  const best = found
    .slice(0, LIMITS.expansion)
    .sort((a, b) => b.df - a.df || (a.term < b.term ? -1 : 1))
    .slice(0, limit)
  return { toks: best.map((each) => each.term), complete: found.length <= limit }
}
