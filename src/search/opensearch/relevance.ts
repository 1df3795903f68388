import type { Cluster, SearchHit, SearchQuery } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import {
  readRelevancePosition,
  RELAXED_TIER,
  writeRelevancePosition,
  type PriorPlace,
  type ScorePlace,
} from '../position.ts'
import { compareNewest } from '../prior.ts'
import { withKin } from '../kin.ts'
import { lackedWords } from '../rank-unit.ts'
import { createRanker } from '../rank.ts'
import { isStrictMatch } from '../relax.ts'
import { createPlacesIn } from '../word-places.ts'
import type { Found } from './ask.ts'
import { candidateFields, rankableOf, withFamilies, type Rankable } from './candidates.ts'
import { clustersBody, clustersOf, firstsBody, firstsOf, groupsOf, isShown } from './collapse.ts'
import { countedTo, countsBody, countsOf, totalOf, type Counts } from './counts.ts'
import { matchingOn, type Ground } from './ground.ts'
import type { Page } from './key-order.ts'
import { ORDERS } from './query-dsl.ts'
import { relaxedCandidates, type Relaxed } from './relaxed.ts'

/** The state of the index a walk begins with: posts that change later are left out of its further pages. */
export interface Moment {
  readonly generation: number
  readonly seq: number
  readonly nowS: number
}

interface Scored extends ScorePlace {
  readonly hit: Omit<SearchHit, 'cluster'>
  readonly group: number | null
  readonly tier: number
  readonly bound: PriorPlace | null
}

function compareScores(a: ScorePlace, b: ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}

/** Tier by tier the best by prior, each ranked; then, on a first page they do not fill, posts that hold some words. */
export async function searchByRelevance(
  ground: Ground,
  query: SearchQuery,
  moment: Moment,
): Promise<Page> {
  const { plan, asking } = ground
  const { limits } = plan
  const walk = readRelevancePosition(query.after)
  const units = plan.units.map((unit, i) => ({ ...unit, idf: walk?.idfs[i] ?? unit.idf }))
  // Which words begin so is seen in those of the candidates.
  const kin = withKin(units, () => ({ toks: [], complete: true }))
  const nowS = walk?.nowS ?? moment.nowS
  // After a rebuild the numbers of changes mean nothing any more; the score alone then keeps the walk in place.
  const maxSeq = walk && walk.generation === moment.generation ? walk.seq : Infinity
  const clusters = new Map<number, Cluster>()
  const page: Scored[] = []
  const wanted = query.limit + 1
  let counts: Counts | undefined
  let tier = walk?.tier ?? 0
  let bound = walk?.bound ?? null

  function score(found: readonly Rankable[], matched: 'all' | 'some'): Scored[] {
    const sought = matched === 'some' ? kin : units
    const ranker = createRanker(sought, nowS)
    const placesIn = createPlacesIn(withFamilies(sought, found))
    return found.flatMap(({ candidate, words, sec, channelId, number, group }) => {
      const { score, missing } = ranker[matched]({ ...candidate, places: placesIn(words) })
      const isStrict = isStrictMatch(plan, missing)
      if (matched === 'some' && (isStrict || missing.length === units.length)) return []
      const place = { score, sec, channelId, number }
      if (walk && tier === walk.tier && compareScores(place, walk.last) <= 0) return []
      const texts = matched === 'some' ? lackedWords(units, missing) : []
      const hit = { channelId, number, score, matched, missing: texts }
      return [{ ...place, hit, group, tier, bound }]
    })
  }

  const take = (scored: Scored[]) =>
    page.push(...scored.sort(compareScores).slice(0, wanted - page.length))

  /** The best `size` by prior behind the bound, of each group the earliest only. */
  async function tierOf(size: number): Promise<Rankable[]> {
    const found: Rankable[] = []
    let after = bound
    while (found.length < size) {
      const body = {
        query: matchingOn(ground, { maxSeq }),
        sort: ORDERS.prior,
        size,
        track_total_hits: isCounted() ? false : countedTo(ground, query) + 1,
        ...candidateFields(units),
        ...(after && { search_after: [after.prior, after.sec, after.channelId, after.number] }),
      }
      const [page, counted] = await asking.ask([body, ...counting()])
      await count(counted ?? page!)
      // Asked for beside what is asked of the groups.
      if (isLacking(query, plan, counts)) relax().catch(() => undefined)
      const next = (page!.hits.hits ?? []).map(rankableOf)
      const shown = query.collapse ? await withoutCopies(next) : next
      found.push(...shown.slice(0, size - found.length))
      if (next.length < size) break
      after = next.at(-1)!
    }
    return found
  }

  /** What matches may be more than what this walk sees of it, and facets need a search of their own. */
  const isApart = maxSeq < Infinity || query.facets.length > 0
  const isCounted = () => counts !== undefined || isApart
  const counting = () => (isApart && !counts ? [countsBody(ground, query)] : [])
  async function count(found: Found): Promise<void> {
    counts ??= isApart
      ? await countsOf(ground, query, found)
      : { total: totalOf(ground, query, found), facets: {} }
  }

  async function withoutCopies(found: readonly Rankable[]): Promise<readonly Rankable[]> {
    const groups = groupsOf(found)
    if (groups.length === 0) return found
    const bodies = [firstsBody(ground, groups, { maxSeq }), clustersBody(ground, groups)]
    const [firsts, told] = await asking.ask(bodies)
    note(told!)
    const first = firstsOf(firsts!)
    return found.filter((post) => isShown(post, first))
  }

  function note(told: Found): void {
    for (const [group, cluster] of clustersOf(told)) clusters.set(group, cluster)
  }

  let relaxing: Promise<Relaxed> | undefined
  function relax(): Promise<Relaxed> {
    const options = { units: kin, maxSeq, isCollapsed: query.collapse }
    return (relaxing ??= relaxedCandidates(ground, options, counting()))
  }

  while (tier < limits.tiers.length && page.length < wanted) {
    const size = limits.tiers[tier]!
    const found = await tierOf(size)
    take(score(found, 'all'))
    if (found.length < size || page.length >= wanted) break
    tier++
    bound = found.at(-1)!
  }

  let relaxed = walk?.tier === RELAXED_TIER
  if ((relaxed && plan.relaxable.length > 0) || isLacking(query, plan, counts)) {
    tier = RELAXED_TIER
    const before = page.length
    const { found, told, counted } = await relax()
    if (counted) await count(counted)
    if (told) note(told)
    take(score(found, 'some'))
    relaxed ||= page.length > before
  }
  if (!counts) await count((await asking.ask([countsBody(ground, query)]))[0]!)

  const shown = page.slice(0, query.limit)
  const end = page.length > query.limit ? shown.at(-1) : undefined
  const { generation, seq } = walk ?? moment
  const idfs = units.map((unit) => unit.idf)
  return {
    ...counts!,
    relaxed,
    hits: shown.map(({ hit, group }) => ({
      ...hit,
      cluster: (group === null ? undefined : clusters.get(group)) ?? null,
    })),
    next: end
      ? writeRelevancePosition({
          generation,
          seq,
          nowS,
          idfs,
          tier: end.tier,
          bound: end.bound,
          last: end,
        })
      : null,
  }
}

/** Too few match for a first page, and others may hold some of the words. */
function isLacking(
  { after, limit }: SearchQuery,
  { relaxable }: Plan,
  counts: Counts | undefined,
): boolean {
  return (
    after === null && relaxable.length > 0 && counts !== undefined && counts.total.value < limit
  )
}
