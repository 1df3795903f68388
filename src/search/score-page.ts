import type { SearchHit } from '../model/query.ts'
import type { Plan } from './plan.ts'
import type { PriorPlace, ScorePlace } from './position.ts'
import { compareNewest, type PlaceInTime } from './prior.ts'
import { lackedWords, type RankUnit } from './rank-unit.ts'
import { createRanker, type Candidate } from './rank.ts'
import { isStrictMatch } from './relax.ts'

/** A group of candidates that are ranked together: its number, and the last candidate of the previous tier by prior. */
export interface Tier {
  readonly tier: number
  readonly bound: PriorPlace | null
}

/** A candidate for the page. */
export interface Scored<T = unknown> extends ScorePlace, Tier {
  readonly found: T
  readonly matched: 'all' | 'some'
  /** Indexes of the units it does not hold. */
  readonly missing: readonly number[]
}

interface Scoring {
  readonly plan: Plan
  /** The plan's units with the walk's rarities; for posts that hold some of the words, with the units of shared prefixes. */
  readonly units: readonly RankUnit[]
  readonly nowS: number
  readonly matched: 'all' | 'some'
  readonly at: Tier
  /** The last hit of the previous page, and its tier. */
  readonly behind: { readonly tier: number; readonly last: ScorePlace } | null
}

/** Best first, without the hits of earlier pages. */
export function scoreAll<T extends PlaceInTime>(
  candidates: readonly T[],
  lookAt: (found: T, i: number) => Candidate,
  { plan, units, nowS, matched, at, behind }: Scoring,
): Scored<T>[] {
  const ranker = createRanker(units, nowS)
  const scored: Scored<T>[] = []
  for (const [i, found] of candidates.entries()) {
    const { score, missing } = ranker[matched](lookAt(found, i))
    const holdsNone = missing.length === plan.units.length
    if (matched === 'some' && (holdsNone || isStrictMatch(plan, missing))) continue
    const { sec, channelId, number } = found
    const place = { score, sec, channelId, number }
    if (behind?.tier === at.tier && compareScores(place, behind.last) <= 0) continue
    scored.push({ ...place, ...at, found, matched, missing })
  }
  return scored.sort(compareScores)
}

export function hitOf(
  units: readonly RankUnit[],
  { channelId, number, score, matched, missing }: Scored,
): Omit<SearchHit, 'cluster'> {
  const texts = matched === 'some' ? lackedWords(units, missing) : []
  return { channelId, number, score, matched, missing: texts }
}

function compareScores(a: ScorePlace, b: ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}
