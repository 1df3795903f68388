import { hash32 } from '../terms.ts'
import { beginningOf, type JudgedPost } from './judged-post.ts'
import type { Leaf, Node } from './standing-query.ts'

/** How often terms are met, as far as it is known: counted in so many cells, which some terms share. */
interface Frequencies {
  learn(post: JudgedPost): void
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

/** Until posts were seen: what is said of many posts comes last, and short words come after long ones. */
function expected(term: string): number {
  if (term.startsWith(':')) return EXPECTED[term[1]!] ?? 1
  return 8 / Math.max(1, term.length)
}

/** Every post, its language, what it has, what it is, the sites it links to, its channel. */
const EXPECTED: Readonly<Record<string, number>> = { p: 1e9, l: 1e3, h: 1e3, i: 500, d: 5, c: 2 }
/** A beginning leads to many words. */
const BEGINNING = 100

/** Terms under which posts come that may satisfy a condition, and about how many posts that will be. */
interface Place {
  readonly leaf: Leaf
  readonly cost: number
}

/**
 * Where a query is filed: each post that satisfies it satisfies one of these conditions, the rarest there are. Undefined when
 * nothing in it has to hold, so that every post has to be held against it.
 */
export function placesOf(node: Node, frequencies: Frequencies): readonly Leaf[] | undefined {
  return choose(node, frequencies)?.map(({ leaf }) => leaf)
}

function choose(node: Node, frequencies: Frequencies): readonly Place[] | undefined {
  switch (node.kind) {
    case 'not':
      return undefined
    case 'leaf':
      return [{ leaf: node, cost: costOf(termsOf(node, frequencies), frequencies) }]
    case 'or': {
      const parts = node.parts.map((part) => choose(part, frequencies))
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined
    }
    case 'and': {
      let best: readonly Place[] | undefined
      let least = Infinity
      for (const part of node.parts) {
        const places = choose(part, frequencies)
        const cost = places?.reduce((sum, place) => sum + place.cost, 0) ?? Infinity
        if (cost < least) [best, least] = [places, cost]
      }
      return best
    }
  }
}

/** What a post is looked up by that satisfies this condition: any of these. */
export function termsOf({ expr }: Leaf, frequencies: Frequencies): readonly string[] {
  if (expr.kind === 'any') {
    return expr.prefix === undefined ? expr.terms : [beginningOf(expr.prefix)]
  }
  let rarest: string | undefined
  for (const tok of expr.toks) {
    if (rarest === undefined || frequencies.of(tok) < frequencies.of(rarest)) rarest = tok
  }
  // Before a word of several there is another.
  return [rarest ?? beginningOf(expr.ending!.prefix!)]
}

function costOf(terms: readonly string[], frequencies: Frequencies): number {
  return terms.reduce(
    (sum, term) => sum + (term.startsWith('^') ? BEGINNING : frequencies.of(term)),
    0,
  )
}
