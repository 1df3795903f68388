import type { SearchQuery } from '../../model/query.ts'
import { withSharedPrefix } from '../shared-prefix.ts'
import { RELAXED_TIER } from '../position.ts'
import { openRelevanceWalk, type Moment } from '../relevance-walk.ts'
import { createCandidates } from './best-candidates.ts'
import { createCounting } from './counts.ts'
import type { Search } from './search.ts'
import type { Page } from './key-order.ts'
import { createRankedPage } from './ranked-page.ts'

/** Ranks the best matches by prior, tier by tier; on a first page with room left, posts with some of the words follow. */
export async function searchByRelevance(
  search: Search,
  query: SearchQuery,
  moment: Moment,
): Promise<Page> {
  const { plan } = search
  const { tiers } = plan.limits
  const begin = openRelevanceWalk(plan, query, moment)
  // The words of each prefix need not be asked for: they are taken from the candidates' texts.
  const walk = {
    ...begin,
    widerUnits: withSharedPrefix(begin.units, () => ({ toks: [], complete: true })),
  }
  const { position } = walk
  // A walk may not see all matches, and facets need a search of their own.
  const isApart = walk.maxSeq < Infinity || query.facets.length > 0
  const counting = createCounting(search, query, isApart)
  const candidates = createCandidates(search, query, walk, counting)
  const page = createRankedPage(plan, walk, query.limit)

  let bound = position?.bound ?? null
  for (let tier = position?.tier ?? 0; tier < tiers.length && !page.isFull; tier++) {
    const found = await candidates.best(tiers[tier]!, bound)
    page.add(found, 'all', { tier, bound })
    if (found.length < tiers[tier]!) break
    bound = found.at(-1)!
  }
  let relaxed = position?.tier === RELAXED_TIER
  if ((relaxed && plan.relaxable.length > 0) || candidates.isLacking()) {
    const isShown = page.add(await candidates.some(), 'some', { tier: RELAXED_TIER, bound })
    relaxed ||= isShown
  }

  const last = page.end()
  return {
    ...(await counting.finish()),
    relaxed,
    hits: page.hits(candidates.clusters),
    next: last ? walk.positionOf(last) : null,
  }
}
