import { bucketOf } from '../bucket.ts'
import type { Plan } from '../plan.ts'
import { compareNewest } from '../prior.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { foundOf, type Found } from './candidates.ts'
import type { SearchBudget } from './matches.ts'
import { newestMatches, type SegmentMatches } from './newest-matches.ts'
import type { Segment } from './postings/segment.ts'
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
    readonly budget: SearchBudget
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
  tally.visit(({ rowids }, ords, sums) => {
    // Most posts hold one word and are older than enough others that do. What is behind one of these needs no look at
    // its time.
    let [refusedSum, refusedOrd] = [-1, 0]
    for (const ord of ords) {
      const sum = (sums[ord]! - 1) / 64
      const worst = top.isFull ? top.worst! : undefined
      if (worst && (sum < worst.sum || (sum <= refusedSum && ord >= refusedOrd))) continue
      const rowid = rowids[ord]!
      if (worst && sum === worst.sum && secOf(rowid) < secOf(worst.rowid)) {
        ;[refusedSum, refusedOrd] = [sum, ord]
      } else top.offer({ sum, rowid })
    }
  })
  return top.sorted().map(({ rowid }) => placeOf(rowid))
}

/**
 * The rarity of the words each post was found by: a number a post, in sixty-fourths as rarities come, which is a tenth of
 * what merging the lists would cost.
 */
function createTally(snapshot: Snapshot) {
  const touched = new Map<Segment, number[]>()
  return {
    add({ segment, ords }: SegmentMatches, idf: number): void {
      if (ords.length === 0) return
      const more = idf * 64
      const sums = snapshot.scratch(segment)
      let met = touched.get(segment)
      if (!met) touched.set(segment, (met = []))
      for (const ord of ords) {
        // A post that was met stands at one and more, whatever the rarity.
        if (sums[ord] === 0) met.push(ord)
        sums[ord] = (sums[ord] || 1) + more
      }
    },
    visit(visit: (segment: Segment, ords: readonly number[], sums: Uint16Array) => void): void {
      for (const [segment, ords] of touched) visit(segment, ords, snapshot.scratch(segment))
    },
    /** Leaves the numbers as they were found, whatever happened. */
    [Symbol.dispose](): void {
      for (const [segment, ords] of touched) {
        const sums = snapshot.scratch(segment)
        for (const ord of ords) sums[ord] = 0
      }
    },
  }
}
