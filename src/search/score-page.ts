import type { SearchHit } from '../model/query.ts'
import type { Plan } from './plan.ts'
import type { PriorPlace, ScorePlace } from './position.ts'
import { compareNewest, type PlaceInTime } from './prior.ts'
import { lackedWords, type RankUnit } from './rank-unit.ts'
import { createRanker, type Candidate } from './rank.ts'
import { isStrictMatch } from './relax.ts'

/** Candidates that are ranked together: the tier, and the last of the one before by prior. */
export interface Tier {
  readonly tier: number
  readonly bound: PriorPlace | null
}

/** A candidate that may stand on the page. */
export interface Scored<T = unknown> extends ScorePlace, Tier {
  readonly found: T
  readonly matched: 'all' | 'some'
  /** Units it does not hold, by their place in the query. */
  readonly missing: readonly number[]
}

interface Scoring {
  readonly plan: Plan
  /** What the ranker looks for: the plan's units with the walk's rarities, for posts that hold some words with their kin. */
  readonly units: readonly RankUnit[]
  readonly nowS: number
  readonly matched: 'all' | 'some'
  readonly at: Tier
  /** The last hit of the page before, and its tier. */
  readonly behind: { readonly tier: number; readonly last: ScorePlace } | null
}

/** The best first, without those that earlier pages have shown. */
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
