import type { Cluster } from '../../model/query.ts'
import type { PostRef } from '../../model/post.ts'
import type { Expr } from '../expr.ts'
import { createColumnFilter } from './column-filters.ts'
import type { Match, Search, SearchBudget } from './collector.ts'
import { bucketOf } from '../bucket.ts'
import { openTerm } from './postings/postings.ts'
import { lowerBound, rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'
import { createHolds, unpackWords } from './words.ts'

export interface Member extends PostRef {
  readonly sec: number
  readonly slot: number
}

/**
 * One hit per group: the earliest member that matches. Whether a post is that one depends on nothing shown before, so a
 * walk needs no memory to show no group twice. Members resemble one another, so the first mostly matches; where none of
 * those looked at does, each post is shown for itself.
 */
export function createCollapse(
  { snapshot, plan, budget }: Search,
  { expr, maxSeq }: { readonly expr: Expr | null; readonly maxSeq?: number },
) {
  const firsts = new Map<number, Member | undefined>()
  const isAccepted = createColumnFilter(snapshot, plan, maxSeq)
  const holds = createHolds(expr)
  let left = plan.limits.collapseLooksInAll

  function isMatching({ sec, slot }: Member): boolean {
    const bucket = bucketOf(sec)
    left--
    if (isAccepted && !isAccepted({ columns: snapshot.columns(bucket).columns, slot })) return false
    const row = snapshot.rows(`select words from post_${bucket} where slot = ?`).get(slot)
    const [packed = ''] = (row ?? []) as unknown as string[]
    const post = { bucket, slot, rowid: rowidOf(sec, slot) }
    return holds(unpackWords(packed), (term) => holdsTerm(snapshot, term, post, budget))
  }

  function first(group: number): Member | undefined {
    if (firsts.has(group)) return firsts.get(group)
    const most = Math.min(plan.limits.collapseLooks, left)
    let looks = 0
    const found = membersOf(snapshot, group, plan.sinceS, most).find(
      (member) => ++looks && member.sec < plan.untilS && isMatching(member),
    )
    if (!found && looks === most) budget.reason ??= 'groups'
    firsts.set(group, found)
    return found
  }

  return {
    first,
    /** Is it alone, or the first of its group that matches? */
    isShown(match: Match): boolean {
      const group = match.columns.group[match.slot]!
      if (group === 0) return true
      const found = first(group)
      return !found || (found.slot === match.slot && found.sec === match.sec)
    },
  }
}

/** Does this one post hold the term? False also where the budget is spent. */
function holdsTerm(
  snapshot: Snapshot,
  term: string,
  post: { readonly bucket: number; readonly slot: number; readonly rowid: number },
  budget: SearchBudget,
): boolean {
  const test = snapshot.tests(post.bucket)(term)
  if (test) return test(post.slot)
  for (const segment of snapshot.segments(post.bucket)) {
    const doc = lowerBound(segment.rowids, post.rowid)
    if (segment.rowids[doc] !== post.rowid) continue
    const entry = segment.find(term)
    const isHeld = entry !== undefined && openTerm(segment, entry, budget).seek(doc) === doc
    return isHeld && budget.postings >= 0
  }
  return false
}

/** Earliest first, read as they are asked for: mostly the first is enough. */
export function* membersOf(
  snapshot: Snapshot,
  group: number,
  sinceS: number,
  limit: number,
): Generator<Member> {
  const rows = snapshot.rows(
    `select sec, channel, number, slot from member where grp = ? and sec >= ?
     order by sec, channel, number limit ?`,
  )
  for (const row of rows.iterate(group, sinceS, limit)) {
    const [sec, channelId, number, slot] = row as unknown as [number, number, number, number]
    yield { sec, channelId, number, slot }
  }
}

/** The group over the whole window; null for a post alone in it. */
export function clusterOf(snapshot: Snapshot, group: number, windowS: number): Cluster | null {
  if (group === 0) return null
  const row = snapshot
    .statement(
      `select count(*) as size, count(distinct channel) as channels from member where grp = ? and sec >= ?`,
    )
    .get(group, windowS)
  const [first] = membersOf(snapshot, group, windowS, 1)
  if (!first || Number(row?.['size']) < 2) return null
  return {
    id: String(group),
    size: Number(row?.['size']),
    channels: Number(row?.['channels']),
    first: { channelId: first.channelId, number: first.number },
  }
}
