import type { SearchPosition, SearchQuery } from '../model/query.ts'
import type { Plan } from './plan.ts'
import { readRelevancePosition, writeRelevancePosition, type ScorePlace } from './position.ts'
import type { Tier } from './score-page.ts'

/** The index state at which a walk begins: posts that change later are left out of its further pages. */
export interface Moment {
  readonly generation: number
  readonly seq: number
  readonly nowS: number
}

export type RelevanceWalk = ReturnType<typeof openRelevanceWalk>

/** What all pages of a walk by relevance share: its moment, its inverse document frequencies, and the last change it sees. */
export function openRelevanceWalk(plan: Plan, { after }: SearchQuery, moment: Moment) {
  const position = readRelevancePosition(after)
  const { generation, seq, nowS } = position ?? moment
  const units = plan.units.map((unit, i) => ({ ...unit, idf: position?.idfs[i] ?? unit.idf }))
  return {
    /** Where the previous page ended; null on the first page. */
    position,
    units,
    nowS,
    // After a rebuild the old sequence numbers mean nothing; the score alone then keeps the walk in place.
    maxSeq: position && generation === moment.generation ? seq : Infinity,
    positionOf(last: ScorePlace & Tier): SearchPosition {
      const idfs = units.map((unit) => unit.idf)
      const { tier, bound } = last
      return writeRelevancePosition({ generation, seq, nowS, idfs, tier, bound, last })
    },
  }
}
