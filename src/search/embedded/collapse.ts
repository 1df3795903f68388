import { lowerBound } from '../../model/lower-bound.ts'
import type { Cluster } from '../../model/query.ts'
import type { PostRef } from '../../model/post.ts'
import type { Expr } from '../expr.ts'
import { createColumnFilter } from './column-filters.ts'
import type { Match, Search } from './collector.ts'
import { bucketOf } from '../bucket.ts'
import { openCursor } from './postings/postings.ts'
import { rowidOf } from './rowid.ts'
import type { Snapshot } from './snapshot.ts'

interface Member extends PostRef {
  readonly sec: number
  readonly slot: number
}

/**
 * One hit per group: the earliest member that matches. Whether a post is that member does not depend on earlier pages, so
 * later pages need no memory to avoid showing a group twice. Members resemble one another, so mostly the first one
 * matches. If none of the members looked at does, each matching post is shown.
 */
export function createCollapse(
  { snapshot, plan, budget }: Search,
  { expr, maxSeq }: { readonly expr: Expr | null; readonly maxSeq?: number },
) {
  const firsts = new Map<number, Member | undefined>()
  const isAccepted = createColumnFilter(snapshot, plan, maxSeq)
  let left = plan.limits.collapseLooksInAll
  // A budget of its own, so that copies do not reduce the matches that the search itself may find.
  const looks = { postings: plan.limits.postings }

  function isMatching({ sec, slot }: Member): boolean {
    const bucket = bucketOf(sec)
    left--
    if (isAccepted && !isAccepted({ columns: snapshot.columns(bucket).columns, slot })) return false
    const rowid = rowidOf(sec, slot)
    for (const segment of snapshot.segments(bucket)) {
      const doc = lowerBound(segment.rowids, rowid)
      if (segment.rowids[doc] !== rowid) continue
      return openCursor({ segment, budget: looks }, expr).seek(doc) === doc
    }
    return false
  }

  function first(group: number): Member | undefined {
    if (firsts.has(group)) return firsts.get(group)
    const most = Math.min(plan.limits.collapseLooks, left)
    let looked = 0
    const found = membersOf(snapshot, group, plan.sinceS, most).find(
      (member) => ++looked && member.sec < plan.untilS && isMatching(member),
    )
    // Without postings left, even a member that was found may be one that the query excludes.
    if ((!found && looked === most) || looks.postings < 0) budget.reason ??= 'groups'
    firsts.set(group, found)
    return found
  }

  return {
    first,
    /** Whether the post has no group or is the first of its group that matches. */
    isShown(match: Match): boolean {
      const group = match.columns.group[match.slot]!
      if (group === 0) return true
      const found = first(group)
      return !found || (found.slot === match.slot && found.sec === match.sec)
    },
  }
}

/** Earliest first, read lazily: mostly the first member is enough. */
export function* membersOf(
  snapshot: Snapshot,
  group: number,
  sinceS: number,
  limit: number,
): Generator<Member> {
  const rows = snapshot.statement(
    `select sec, channel as channelId, number, slot from member where grp = ? and sec >= ?
     order by sec, channel, number limit ?`,
  )
  for (const row of rows.iterate(group, sinceS, limit)) yield row as unknown as Member
}

/** The group within the whole window; null if the post has no other member there. */
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
