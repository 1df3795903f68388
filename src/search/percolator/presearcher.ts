import { hash32 } from '../terms.ts'
import { prefixTerm, type PercolatedPost } from './percolated-post.ts'
import type { Leaf, Node } from './standing-query.ts'

/** How often terms have occurred in posts so far, counted in a fixed number of cells, which some terms share. */
interface Frequencies {
  learn(post: PercolatedPost): void
  of(term: string): number
}

const CELLS = 1 << 18

export function createFrequencies(): Frequencies {
  const cells = new Uint32Array(CELLS)
  return {
    learn(post) {
      for (const term of post.terms) cells[hash32(term) % CELLS]!++
    },
    of: (term) => cells[hash32(term) % CELLS]! + expected(term),
  }
}

/**
 * An estimate until posts have been seen: terms that hold for many posts count as frequent, and short words as more
 * frequent than long ones.
 */
function expected(term: string): number {
  if (term.startsWith(':')) return EXPECTED[term[1]!] ?? 1
  return 8 / Math.max(1, term.length)
}

/** Every post, its language, what it has, what it is, the sites it links to, its channel. */
const EXPECTED: Readonly<Record<string, number>> = { p: 1e9, l: 1e3, h: 1e3, i: 500, d: 5, c: 2 }
/** The estimate for a prefix, which matches many words. */
const PREFIX_COST = 100

/** A condition under which a query may be filed, and about how many posts satisfy it. */
interface WeightedLeaf {
  readonly leaf: Leaf
  readonly cost: number
}

/**
 * The conditions under which a query is filed: each post that satisfies the query satisfies one of them, and they are the
 * rarest such. Undefined if the query requires no condition, so that every post has to be compared with it.
 */
export function presearchLeaves(node: Node, frequencies: Frequencies): readonly Leaf[] | undefined {
  return choose(node, frequencies)?.map(({ leaf }) => leaf)
}

function choose(node: Node, frequencies: Frequencies): readonly WeightedLeaf[] | undefined {
  switch (node.kind) {
    case 'not':
      return undefined
    case 'leaf':
      return [{ leaf: node, cost: costOf(presearchTerms(node, frequencies), frequencies) }]
    case 'or': {
      const parts = node.parts.map((part) => choose(part, frequencies))
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined
    }
    case 'and': {
      let best: readonly WeightedLeaf[] | undefined
      let least = Infinity
      for (const part of node.parts) {
        const leaves = choose(part, frequencies)
        const cost = leaves?.reduce((sum, leaf) => sum + leaf.cost, 0) ?? Infinity
        if (cost < least) [best, least] = [leaves, cost]
      }
      return best
    }
  }
}

/** The terms by which a post that satisfies this condition is found: any of them. */
export function presearchTerms({ expr }: Leaf, frequencies: Frequencies): readonly string[] {
  if (expr.kind === 'any') {
    return expr.prefix === undefined ? expr.terms : [prefixTerm(expr.prefix)]
  }
  let rarest: string | undefined
  for (const tok of expr.toks) {
    if (rarest === undefined || frequencies.of(tok) < frequencies.of(rarest)) rarest = tok
  }
  // If there are no words before it, the ending is a prefix: an ending of several words always follows a word.
  return [rarest ?? prefixTerm(expr.ending!.prefix!)]
}

function costOf(terms: readonly string[], frequencies: Frequencies): number {
  return terms.reduce(
    (sum, term) => sum + (term.startsWith('^') ? PREFIX_COST : frequencies.of(term)),
    0,
  )
}
