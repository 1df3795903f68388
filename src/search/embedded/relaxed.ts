import { bucketOf } from '../bucket.ts'
import type { Plan } from '../plan.ts'
import { compareNewest } from '../prior.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { foundOf, type Found } from './candidates.ts'
import type { Allowance } from './matches.ts'
import { newestMatches, type BucketMatches } from './newest-matches.ts'
import { secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

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
  const placeOf = (rowid: number) => {
    const sec = secOf(rowid)
    return foundOf({ sec, slot: slotOf(rowid), columns: snapshot.columns(bucketOf(sec)).columns })
  }
  const top = createTop<{ sum: number; rowid: number }>(options.size, (a, b) => {
    if (a.sum !== b.sum) return b.sum - a.sum
    const isSameSecond = secOf(a.rowid) === secOf(b.rowid)
    return isSameSecond ? compareNewest(placeOf(a.rowid), placeOf(b.rowid)) : a.rowid - b.rowid
  })
  using tally = createTally(snapshot)
  for (const word of options.words) {
    const found = newestMatches(snapshot, plan, { ...options, ...word }, word.share)
    for (const each of found) tally.add(each, word.idf)
  }
  tally.visit((rowid, sum) => {
    // Most posts hold one word and are older than enough others that do.
    const worst = top.isFull ? top.worst! : undefined
    const isBehind =
      worst && (sum < worst.sum || (sum === worst.sum && secOf(rowid) < secOf(worst.rowid)))
    if (!isBehind) top.offer({ sum, rowid })
  })
  return top.sorted().map(({ rowid }) => placeOf(rowid))
}

/**
 * The rarity of the words each post was found by: a number a slot, in sixty-fourths as rarities come, which is a tenth of
 * what merging the lists would cost.
 */
function createTally(snapshot: Snapshot) {
  const touched = new Map<number, number[]>()
  return {
    add({ bucket, rowids }: BucketMatches, idf: number): void {
      const more = idf * 64
      const sums = snapshot.scratch(bucket)
      let met = touched.get(bucket)
      if (!met) touched.set(bucket, (met = []))
      for (const rowid of rowids) {
        const slot = slotOf(rowid)
        // A post that was met stands at one and more, whatever the rarity.
        if (sums[slot] === 0) met.push(rowid)
        sums[slot] = (sums[slot] || 1) + more
      }
    },
    visit(visit: (rowid: number, sum: number) => void): void {
      for (const [bucket, rowids] of touched) {
        const sums = snapshot.scratch(bucket)
        for (const rowid of rowids) {
          visit(rowid, (sums[slotOf(rowid)]! - 1) / 64)
        }
      }
    },
    /** Leaves the numbers as they were found, whatever happened. */
    [Symbol.dispose](): void {
      for (const [bucket, rowids] of touched) {
        const sums = snapshot.scratch(bucket)
        for (const rowid of rowids) sums[slotOf(rowid)] = 0
      }
    },
  }
}
