import type { SearchQuery } from '../../model/query.ts'
import { withKin } from '../kin.ts'
import type { Plan } from '../plan.ts'
import { readRelevancePosition, RELAXED_TIER, writeRelevancePosition } from '../position.ts'
import { createCandidates } from './best-candidates.ts'
import { createCounting } from './counts.ts'
import type { Search } from './search.ts'
import type { Page } from './key-order.ts'
import { createRankedPage, type Walk } from './ranked-page.ts'

/** The state of the index a walk begins with: posts that change later are left out of its further pages. */
interface Moment {
  readonly generation: number
  readonly seq: number
  readonly nowS: number
}

/** Tier by tier the best by prior, each ranked; then, on a first page they do not fill, posts that hold some words. */
export async function searchByRelevance(
  search: Search,
  query: SearchQuery,
  moment: Moment,
): Promise<Page> {
  const { plan } = search
  const { tiers } = plan.limits
  const begun = readRelevancePosition(query.after)
  const walk = walkOf(plan, begun, moment)
  // What matches may be more than what this walk sees of it, and facets need a search of their own.
  const isApart = walk.maxSeq < Infinity || query.facets.length > 0
  const counting = createCounting(search, query, isApart)
  const candidates = createCandidates(search, query, walk, counting)
  const page = createRankedPage(plan, walk, query.limit)

  let bound = begun?.bound ?? null
  for (let tier = begun?.tier ?? 0; tier < tiers.length && !page.isFull; tier++) {
    const found = await candidates.best(tiers[tier]!, bound)
    page.add(found, 'all', { tier, bound })
    if (found.length < tiers[tier]!) break
    bound = found.at(-1)!
  }
  let relaxed = begun?.tier === RELAXED_TIER
  if ((relaxed && plan.relaxable.length > 0) || candidates.isLacking()) {
    const isShown = page.add(await candidates.some(), 'some', { tier: RELAXED_TIER, bound })
    relaxed ||= isShown
  }

  const { nowS } = walk
  const { generation, seq } = begun ?? moment
  const idfs = walk.units.map((unit) => unit.idf)
  const last = page.end()
  return {
    ...(await counting.finish()),
    relaxed,
    hits: page.hits(candidates.clusters),
    next: last
      ? writeRelevancePosition({
          generation,
          seq,
          nowS,
          idfs,
          tier: last.tier,
          bound: last.bound,
          last,
        })
      : null,
  }
}

function walkOf(
  { units: planned }: Plan,
  begun: ReturnType<typeof readRelevancePosition>,
  moment: Moment,
): Walk {
  const units = planned.map((unit, i) => ({ ...unit, idf: begun?.idfs[i] ?? unit.idf }))
  return {
    units,
    // Which words begin so is seen in those of the candidates.
    kin: withKin(units, () => ({ toks: [], complete: true })),
    nowS: begun?.nowS ?? moment.nowS,
    // After a rebuild the numbers of changes mean nothing any more; the score alone then keeps the walk in place.
    maxSeq: begun && begun.generation === moment.generation ? begun.seq : Infinity,
    behind: begun,
  }
}
