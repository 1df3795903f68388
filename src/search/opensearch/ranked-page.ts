import type { Cluster, SearchHit } from '../../model/query.ts'
import type { Plan } from '../plan.ts'
import type { PriorPlace, ScorePlace } from '../position.ts'
import { compareNewest } from '../prior.ts'
import { lackedWords, type RankUnit } from '../rank-unit.ts'
import { createRanker } from '../rank.ts'
import { isStrictMatch } from '../relax.ts'
import { createPlacesIn } from '../word-places.ts'
import { withFamilies, type Rankable } from './candidates.ts'

/** Where a walk by relevance stands. */
export interface Walk {
  readonly units: readonly RankUnit[]
  /** The same with the kin of each, for posts that hold some of the words. */
  readonly kin: readonly RankUnit[]
  readonly nowS: number
  /** Posts that changed later are left out. */
  readonly maxSeq: number
  /** The last hit of the page before, and its tier. */
  readonly behind: { readonly tier: number; readonly last: ScorePlace } | null
}

/** Candidates that were ranked together: the tier, and the last of the one before by prior. */
interface Tier {
  readonly tier: number
  readonly bound: PriorPlace | null
}

interface Scored extends ScorePlace, Tier {
  readonly hit: Omit<SearchHit, 'cluster'>
  readonly group: number | null
}

/** A page that is filled tier by tier, the best of each first, up to one hit more than are shown. */
export function createRankedPage(plan: Plan, walk: Walk, limit: number) {
  const { units, kin, nowS, behind } = walk
  const page: Scored[] = []

  function score(found: readonly Rankable[], matched: 'all' | 'some', from: Tier): Scored[] {
    const sought = matched === 'some' ? kin : units
    const ranker = createRanker(sought, nowS)
    const placesIn = createPlacesIn(withFamilies(sought, found))
    return found.flatMap(({ candidate, words, sec, channelId, number, group }) => {
      const { score, missing } = ranker[matched]({ ...candidate, places: placesIn(words) })
      const isStrict = isStrictMatch(plan, missing)
      if (matched === 'some' && (isStrict || missing.length === units.length)) return []
      const place = { score, sec, channelId, number }
      if (behind?.tier === from.tier && compareScores(place, behind.last) <= 0) return []
      const texts = matched === 'some' ? lackedWords(units, missing) : []
      const hit = { channelId, number, score, matched, missing: texts }
      return [{ ...place, ...from, hit, group }]
    })
  }

  return {
    get isFull() {
      return page.length > limit
    },
    /** True when one of them stands on the page. */
    add(found: readonly Rankable[], matched: 'all' | 'some', from: Tier): boolean {
      const before = page.length
      const scored = score(found, matched, from).sort(compareScores)
      page.push(...scored.slice(0, limit + 1 - before))
      return page.length > before
    },
    hits(clusters: ReadonlyMap<number, Cluster>): SearchHit[] {
      return page.slice(0, limit).map(({ hit, group }) => ({
        ...hit,
        cluster: (group === null ? undefined : clusters.get(group)) ?? null,
      }))
    },
    /** The last that is shown, where others follow. */
    end: (): (ScorePlace & Tier) | undefined => (page.length > limit ? page[limit - 1] : undefined),
  }
}

function compareScores(a: ScorePlace, b: ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}
