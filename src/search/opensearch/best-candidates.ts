import type { Cluster, SearchQuery } from '../../model/query.ts'
import type { PriorPlace } from '../position.ts'
import { candidateFields, rankableOf, type Rankable } from './candidates.ts'
import { copiesIn, MAX_LOOKS, noteClusters, withoutCopies, type KnownGroups } from './collapse.ts'
import type { Counting } from './counts.ts'
import { matchingOf, type Search } from './search.ts'
import { ORDERS } from './query-dsl.ts'
import type { Walk } from './ranked-page.ts'
import { relaxedCandidates } from './relaxed.ts'

/** The requests of a search by relevance; those of `counting` are sent along. */
export function createCandidates(
  search: Search,
  query: SearchQuery,
  { units, widerUnits, maxSeq }: Walk,
  counting: Counting,
) {
  const { session, plan } = search
  const clusters = new Map<number, Cluster>()
  const learnt: KnownGroups = { clusters, firsts: new Map() }
  let relaxing: ReturnType<typeof askForSome> | undefined

  /** The best `size` by prior after a bound, only the earliest of each group; fewer if copies use up all looks. */
  async function best(size: number, bound: PriorPlace | null): Promise<Rankable[]> {
    const found: Rankable[] = []
    let after = bound
    for (let looks = 0; found.length < size; looks++) {
      if (looks === MAX_LOOKS) {
        session.reason ??= 'groups'
        break
      }
      const body = {
        query: matchingOf(search, { maxSeq, but: copiesIn(learnt) }),
        sort: ORDERS.prior,
        size,
        track_total_hits: counting.inPage(),
        ...candidateFields(units),
        ...(after && { search_after: [after.prior, after.sec, after.channelId, after.number] }),
      }
      const [page, counted] = await session.search([body, ...counting.beside()])
      await counting.take(counted ?? page!)
      // Started here, so that it runs while the groups are asked for.
      if (isLacking()) some().catch(() => undefined)
      const next = (page!.hits.hits ?? []).map(rankableOf)
      const shown = query.collapse ? await withoutCopies(search, next, learnt, maxSeq) : next
      found.push(...shown.slice(0, size - found.length))
      if (next.length < size) break
      after = next.at(-1)!
    }
    return found
  }

  /** Posts that hold some of the words; requested once. */
  const some = () => (relaxing ??= askForSome())

  async function askForSome(): Promise<readonly Rankable[]> {
    const mayMatch = counting.counts?.total.value !== 0
    const options = { units, widerUnits, maxSeq, isCollapsed: query.collapse, mayMatch }
    const { found, told, counted } = await relaxedCandidates(search, options, counting.beside())
    if (counted) await counting.take(counted)
    if (told) noteClusters(told, clusters)
    return found
  }

  /** Whether too few posts match for a first page while others may hold some of the words. */
  function isLacking(): boolean {
    const { counts } = counting
    if (query.after !== null || plan.relaxable.length === 0 || !counts) return false
    return counts.total.value < query.limit
  }

  return { best, some, isLacking, clusters: clusters as ReadonlyMap<number, Cluster> }
}
