import type { SearchLimits } from './limits.ts'
import type { Expansion, TermStats } from './expr.ts'
import { isWord } from './terms.ts'

/** Expands the prefixes of one query, which share a budget of words; a prefix that ends a phrase gets fewer words. */
export type Expand = (prefix: string, place?: 'alone' | 'in phrase') => Expansion

export function createExpand(stats: TermStats, limits: SearchLimits): Expand {
  const known = new Map<string, Expansion>()
  let look = limits.expansionLook
  let room = limits.expansion
  return (prefix, place = 'alone') => {
    let found = known.get(prefix)
    if (!found) {
      const limit = Math.min(limits.expansionEach, Math.max(limits.expansionLeast, room))
      const share = Math.max(limits.expansionLeast, Math.ceil(look / 2))
      found = stats.expand(prefix, limit, share)
      look -= share
      room -= found.toks.length
      known.set(prefix, found)
    }
    if (place === 'alone' || found.toks.length <= limits.phraseEndings) return found
    return { toks: found.toks.slice(0, limits.phraseEndings), complete: false }
  }
}

/** The most frequent of the found words. `found` has up to `look + 1` terms; one beyond `look` means there are more. */
export function mostFrequent(
  found: readonly { readonly term: string; readonly df: number }[],
  limit: number,
  look: number,
): Expansion {
  const best = found
    .slice(0, look)
    .filter(({ term }) => isWord(term))
    .sort((a, b) => b.df - a.df || (a.term < b.term ? -1 : 1))
    .slice(0, limit)
  return { toks: best.map((each) => each.term), complete: found.length <= Math.min(limit, look) }
}
