import { BONUS_STEP_S, compareNewest, MAX_BONUS_S } from '../prior.ts'
import type { PriorPlace } from '../position.ts'
import type { Candidate } from '../rank.ts'
import { createTop } from '../top.ts'
import { COPY_FLAG } from './columns.ts'
import type { Collector, Match } from './collector.ts'

/** A post worth ranking. */
export interface FoundPost extends PriorPlace, Omit<Candidate, 'places'> {
  readonly slot: number
  readonly group: number
}

export function foundOf({
  sec,
  slot,
  columns,
}: Pick<Match, 'sec' | 'slot' | 'columns'>): FoundPost {
  return {
    sec,
    slot,
    channelId: columns.channel[slot]!,
    number: columns.number[slot]!,
    prior: sec + columns.bonus[slot]! * BONUS_STEP_S,
    group: columns.group[slot]!,
    isCopy: (columns.flags[slot]! & COPY_FLAG) !== 0,
    words: columns.words[slot]!,
    toks: columns.toks[slot]!,
    firstLine: columns.firstLine[slot]!,
  }
}

function comparePriors(a: PriorPlace, b: PriorPlace): number {
  return b.prior - a.prior || compareNewest(a, b)
}

/** The exact `size` best by prior after `bound`, of matches newest first. Stops once no bonus can make up for the age. */
export function createBestByPrior(options: {
  readonly size: number
  readonly bound: PriorPlace | null
  readonly isShown: ((match: Match) => boolean) | undefined
}): Collector & { sorted(): FoundPost[] } {
  const { size, bound, isShown } = options
  const top = createTop<FoundPost>(size, comparePriors)
  return {
    collect(match) {
      const { sec, slot, columns } = match
      const worst = top.isFull ? top.worst! : undefined
      if (worst && sec + MAX_BONUS_S < worst.prior) return false
      const prior = sec + columns.bonus[slot]! * BONUS_STEP_S
      if (worst && prior < worst.prior) return true
      const found = foundOf(match)
      if (bound && comparePriors(found, bound) <= 0) return true
      if (!isShown || isShown(match)) top.offer(found)
      return true
    },
    sorted: () => top.sorted(),
  }
}
