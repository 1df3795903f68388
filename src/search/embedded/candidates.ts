import { BONUS_STEP_S, compareNewest, MAX_BONUS_S } from '../prior.ts'
import type { Plan } from '../plan.ts'
import type { PriorPlace } from '../position.ts'
import type { Candidate } from '../rank.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { COPY_FLAG } from './columns.ts'
import { scanMatches, type Allowance, type Match } from './matches.ts'
import { bucketOf } from '../bucket.ts'
import { rowidOf, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'
import { createSums } from './sums.ts'
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
): { found: Found[]; seen: number; isExhausted: boolean } {
  const { size, bound } = options
  const top = createTop<Found>(size, comparePriors)
  let seen = 0
  let isExhausted = true
  const visit = (match: Match): boolean => {
    const worst = top.isFull ? top.worst! : undefined
    if (worst && match.sec + MAX_BONUS_S < worst.prior) {
      isExhausted = false
      return true
    }
    seen++
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
  return { found: top.sorted(), seen, isExhausted }
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
      .statement(
        `select slot, first_line, words from post_${bucket}
         where slot in (select value from json_each(?))`,
      )
      .all(JSON.stringify([...wanted.keys()]))
      .map((row) => {
        const each = wanted.get(Number(row['slot']))!
        const { toks, stems } = unpackWords(row['words'] as Uint8Array)
        const { prior, isCopy } = each
        const firstLine = Number(row['first_line'])
        return { found: each, candidate: { toks, stems, firstLine, prior, isCopy } }
      }),
  )
}

/** Posts that hold some of the words: the rarest words' newest posts, the best by the rarity they add up to. */
export function relaxedCandidates(
  snapshot: Snapshot,
  plan: Plan,
  options: {
    readonly words: readonly RelaxedWord[]
    readonly size: number
    readonly maxSeq: number
    readonly allowance: Allowance
  },
): Found[] {
  const sums = createSums(options.words.reduce((sum, word) => sum + word.share, 0))
  for (const word of options.words) {
    let seen = 0
    let last = 0
    scanMatches(snapshot, plan, {
      expr: word.expr,
      sinceS: plan.sinceS,
      untilS: plan.untilS,
      order: 'newest',
      allowance: options.allowance,
      maxSeq: options.maxSeq,
      page: word.share + 8,
      visit({ sec, slot }) {
        // A second is taken whole, so that the cut does not depend on the order of slots.
        if (seen >= word.share && sec !== last) return true
        seen++
        last = sec
        sums.add(rowidOf(sec, slot), word.idf)
        return false
      },
    })
  }
  const placeOf = (rowid: number) => {
    const sec = secOf(rowid)
    return foundOf({ sec, slot: slotOf(rowid), columns: snapshot.columns(bucketOf(sec)).columns })
  }
  const top = createTop<{ readonly sum: number; readonly rowid: number }>(options.size, (a, b) => {
    if (a.sum !== b.sum) return b.sum - a.sum
    const isSameSecond = secOf(a.rowid) === secOf(b.rowid)
    return isSameSecond ? compareNewest(placeOf(a.rowid), placeOf(b.rowid)) : a.rowid - b.rowid
  })
  sums.forEach((rowid, sum) => {
    // Most posts hold one word and are older than enough others that do.
    const worst = top.isFull ? top.worst! : undefined
    const isBehind =
      worst && (sum < worst.sum || (sum === worst.sum && secOf(rowid) < secOf(worst.rowid)))
    if (!isBehind) top.offer({ sum, rowid })
  })
  return top.sorted().map((each) => placeOf(each.rowid))
}
