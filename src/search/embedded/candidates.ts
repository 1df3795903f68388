import { BONUS_STEP_S, compareNewest, MAX_BONUS_S } from '../prior.ts'
import type { Plan } from '../plan.ts'
import type { PriorPlace } from '../position.ts'
import type { Candidate } from '../rank.ts'
import { createTop } from '../top.ts'
import { COPY_FLAG } from './columns.ts'
import { scanMatches, type Allowance, type Match, type Seen } from './matches.ts'
import { bucketOf } from '../bucket.ts'
import { rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'
import { unpackWords } from './words.ts'

/** A post worth ranking. */
export interface Found extends PriorPlace {
  readonly slot: number
  readonly group: number
  readonly isCopy: boolean
}

export function foundOf({ sec, slot, columns }: Omit<Match, 'bucket'>): Found {
  return {
    sec,
    slot,
    channelId: columns.channel[slot]!,
    number: columns.number[slot]!,
    prior: sec + columns.bonus[slot]! * BONUS_STEP_S,
    group: columns.group[slot]!,
    isCopy: (columns.flags[slot]! & COPY_FLAG) !== 0,
  }
}

export function comparePriors(a: PriorPlace, b: PriorPlace): number {
  return b.prior - a.prior || compareNewest(a, b)
}

/**
 * The exact best `size` matches by prior behind `bound`. The scan begins with the newest post and ends once the time has
 * fallen so far that no bonus can make up for it.
 */
export function bestByPrior(
  snapshot: Snapshot,
  plan: Plan,
  options: {
    readonly size: number
    readonly bound: PriorPlace | null
    readonly maxSeq: number
    readonly allowance: Allowance
    readonly isShown?: (match: Match) => boolean
  },
): { found: Found[]; seen: Seen } {
  const { size, bound } = options
  const top = createTop<Found>(size, comparePriors)
  const seen: Seen = { count: 0, end: null }
  const visit = (match: Match): boolean => {
    const worst = top.isFull ? top.worst! : undefined
    if (worst && match.sec + MAX_BONUS_S < worst.prior) {
      seen.end = rowidOf(match.sec, match.slot) - 1
      return true
    }
    seen.count++
    const prior = match.sec + match.columns.bonus[match.slot]! * BONUS_STEP_S
    if (worst && prior < worst.prior) return false
    const found = foundOf(match)
    if (bound && comparePriors(found, bound) <= 0) return false
    if (options.isShown && !options.isShown(match)) return false
    top.offer(found)
    return false
  }
  const { sinceS, untilS, expr } = plan
  const { allowance, maxSeq } = options
  const page = 2 * size
  const order = 'newest'
  scanMatches(snapshot, plan, { expr, sinceS, untilS, order, allowance, maxSeq, page, visit })
  return { found: top.sorted(), seen }
}

/** What the ranker needs of each, read bucket by bucket. */
export function candidatesOf(
  snapshot: Snapshot,
  found: readonly Found[],
): { found: Found; candidate: Candidate }[] {
  const slots = new Map<number, Map<number, Found>>()
  for (const each of found) {
    const bucket = bucketOf(each.sec)
    let wanted = slots.get(bucket)
    if (!wanted) slots.set(bucket, (wanted = new Map()))
    wanted.set(each.slot, each)
  }
  return [...slots].flatMap(([bucket, wanted]) =>
    snapshot
      .rows(
        `select slot, first_line, words from post_${bucket}
         where slot in (select value from json_each(?))`,
      )
      .all(JSON.stringify([...wanted.keys()]))
      .map((row) => {
        const [slot, firstLine, words] = row as unknown as [number, number, string]
        const each = wanted.get(slot)!
        const { prior, isCopy } = each
        return { found: each, candidate: { ...unpackWords(words), firstLine, prior, isCopy } }
      }),
  )
}
