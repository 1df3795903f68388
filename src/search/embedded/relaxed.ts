import { bucketOf } from '../bucket.ts'
import type { Plan } from '../plan.ts'
import { compareNewest } from '../prior.ts'
import type { RelaxedWord } from '../relax.ts'
import { createTop } from '../top.ts'
import { foundOf, type Found } from './candidates.ts'
import { openScan, type Allowance } from './matches.ts'
import { rowidOf, secOf, slotOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

/** A post that holds some of the words. */
export interface FoundSome extends Found {
  /** The rarity of all the words it may hold: more than those it was found by where not every post was looked at. */
  readonly mayHold: number
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
): FoundSome[] {
  const lists = options.words.map((word) => newestOf(snapshot, plan, word, options))
  // What the ranker finds in a post, the lists have: a word that no post has is in none.
  const every = plan.units.reduce((sum, unit) => sum + (unit.df > 0 ? unit.idf : 0), 0)
  const placeOf = (rowid: number) => {
    const sec = secOf(rowid)
    return foundOf({ sec, slot: slotOf(rowid), columns: snapshot.columns(bucketOf(sec)).columns })
  }
  const top = createTop<{ sum: number; rowid: number; mayHold: number }>(options.size, (a, b) => {
    if (a.sum !== b.sum) return b.sum - a.sum
    const isSameSecond = secOf(a.rowid) === secOf(b.rowid)
    return isSameSecond ? compareNewest(placeOf(a.rowid), placeOf(b.rowid)) : a.rowid - b.rowid
  })
  // Each list goes from the newest post to the oldest, and so does what they are merged to.
  const heads = lists.map(() => 0)
  for (;;) {
    let rowid = Infinity
    for (let i = 0; i < lists.length; i++) {
      const head = lists[i]!.rowids[heads[i]!]
      if (head !== undefined && head < rowid) rowid = head
    }
    if (rowid === Infinity) break
    let sum = 0
    let mayHold = every
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i]!
      if (list.rowids[heads[i]!] === rowid) {
        heads[i]!++
        sum += list.idf
      } else if (list.isWhole) mayHold -= list.idf
    }
    // Most posts hold one word and are older than enough others that do.
    const worst = top.isFull ? top.worst! : undefined
    const isBehind =
      worst && (sum < worst.sum || (sum === worst.sum && secOf(rowid) < secOf(worst.rowid)))
    if (!isBehind) top.offer({ sum, rowid, mayHold })
  }
  return top.sorted().map(({ rowid, mayHold }) => ({ ...placeOf(rowid), mayHold }))
}

/** A word's newest posts; `isWhole` when these are all. */
function newestOf(
  snapshot: Snapshot,
  plan: Plan,
  word: RelaxedWord,
  { maxSeq, allowance }: { readonly maxSeq: number; readonly allowance: Allowance },
): { readonly rowids: readonly number[]; readonly isWhole: boolean; readonly idf: number } {
  const { sinceS, untilS } = plan
  const { expr } = word
  const scan = openScan(snapshot, plan, {
    expr,
    sinceS,
    untilS,
    order: 'newest',
    allowance,
    maxSeq,
  })
  const { match } = scan
  const rowids: number[] = []
  let last = 0
  while (scan.next()) {
    // A second is taken whole, so that the cut does not depend on the order of slots.
    if (rowids.length >= word.share && match.sec !== last)
      return { rowids, isWhole: false, idf: word.idf }
    last = match.sec
    rowids.push(rowidOf(match.sec, match.slot))
  }
  return { rowids, isWhole: allowance.postings >= 0, idf: word.idf }
}
