import type { Cluster, SearchHit } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import type { ScorePlace } from '../position.ts'
import type { RelevanceWalk } from '../relevance-walk.ts'
import type { RankUnit } from '../rank-unit.ts'
import { hitOf, scoreAll, type Scored, type Tier } from '../score-page.ts'
import { createPlacesIn } from '../word-places.ts'
import { withFamilies, type Rankable } from './candidates.ts'

export interface Walk extends RelevanceWalk {
  /** The units, and those of words that share a prefix with them, for posts that hold some of the words. */
  readonly widerUnits: readonly RankUnit[]
}

/** A page that is filled tier by tier, best hits first, with up to one more hit than is shown. */
export function createRankedPage(plan: Plan, walk: Walk, limit: number) {
  const { units, widerUnits, nowS, position } = walk
  const page: Scored<Rankable>[] = []

  return {
    get isFull() {
      return page.length > limit
    },
    /** True if any of them is on the page. */
    add(found: readonly Rankable[], matched: 'all' | 'some', at: Tier): boolean {
      const before = page.length
      const sought = matched === 'some' ? widerUnits : units
      const placesIn = createPlacesIn(withFamilies(sought, found))
      const scored = scoreAll(
        found,
        ({ candidate, words }) => ({ ...candidate, places: placesIn(words) }),
        { plan, units: sought, nowS, matched, at, behind: position },
      )
      page.push(...scored.slice(0, limit + 1 - before))
      return page.length > before
    },
    hits(clusters: ReadonlyMap<number, Cluster>): SearchHit[] {
      return page.slice(0, limit).map((each) => {
        const { group } = each.found
        const cluster = group === null ? undefined : clusters.get(group)
        return { ...hitOf(units, each), cluster: cluster ?? null }
      })
    },
    /** The last hit that is shown, if others follow. */
    end: (): (ScorePlace & Tier) | undefined => (page.length > limit ? page[limit - 1] : undefined),
  }
}
