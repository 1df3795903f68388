import { BONUS_STEP_S, compareNewest, MAX_BONUS_S } from '../prior.ts'
import type { Expr, Plan } from '../plan.ts'
import type { PriorPlace } from '../position.ts'
import type { Candidate } from '../rank.ts'
import { createTop } from '../top.ts'
import { COPY_FLAG } from './columns.ts'
import { scanMatches, type Allowance, type Match } from './matches.ts'
import { bucketOf } from '../bucket.ts'
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
  scanMatches(snapshot, plan, { expr, sinceS, untilS, order: 'newest', allowance, maxSeq, visit })
  return { found: top.sorted(), seen, isExhausted }
}

/** What the ranker needs of a post. */
export function candidateOf(snapshot: Snapshot, found: Found): Candidate {
  const bucket = bucketOf(found.sec)
  const row = snapshot
    .statement(`select first_line, words from post_${bucket} where slot = ?`)
    .get(found.slot) as { first_line: number; words: Uint8Array }
  const { toks, stems } = unpackWords(row.words)
  return { toks, stems, firstLine: row.first_line, prior: found.prior, isCopy: found.isCopy }
}

/** Posts that hold some of the words: the rarest words' newest posts, the best by the rarity they add up to. */
export function relaxedCandidates(
  snapshot: Snapshot,
  plan: Plan,
  options: {
    readonly words: readonly { readonly expr: Expr; readonly idf: number; readonly share: number }[]
    readonly size: number
    readonly maxSeq: number
    readonly allowance: Allowance
  },
): Found[] {
  const sums = new Map<number, number>()
  const places = new Map<number, Found>()
  for (const word of options.words) {
    let seen = 0
    let last = 0
    const expr: Expr = plan.required
      ? { kind: 'and', parts: [word.expr, plan.required] }
      : word.expr
    scanMatches(snapshot, plan, {
      expr,
      sinceS: plan.sinceS,
      untilS: plan.untilS,
      order: 'newest',
      allowance: options.allowance,
      maxSeq: options.maxSeq,
      visit(match) {
        // A second is taken whole, so that the cut does not depend on the order of slots.
        if (seen >= word.share && match.sec !== last) return true
        seen++
        last = match.sec
        const key = match.bucket * 4_194_304 + match.slot
        const sum = sums.get(key)
        if (sum === undefined) places.set(key, foundOf(match))
        sums.set(key, (sum ?? 0) + word.idf)
        return false
      },
    })
  }
  const top = createTop<{ sum: number; found: Found }>(
    options.size,
    (a, b) => b.sum - a.sum || compareNewest(a.found, b.found),
  )
  for (const [key, sum] of sums) top.offer({ sum, found: places.get(key)! })
  return top.sorted().map((each) => each.found)
}
