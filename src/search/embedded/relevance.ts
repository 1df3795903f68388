import { bucketOf } from '../bucket.ts'
import { withSharedPrefix } from '../shared-prefix.ts'
import { RELAXED_TIER } from '../position.ts'
import { openRelevanceWalk } from '../relevance-walk.ts'
import { relaxedSize, relaxedWords, someOf, type RelaxedWord } from '../relax.ts'
import { hitOf, scoreAll, type Scored, type Tier } from '../score-page.ts'
import { createBestByPrior, foundOf, type FoundPost } from './candidates.ts'
import { createCollapse } from './collapse.ts'
import { collect, createBudget, type Page, type Search } from './collector.ts'
import { matchesOf, openScan } from './matches.ts'
import { placesOf } from './places.ts'
import { relaxedCandidates } from './relaxed.ts'

/** Ranks the best matches by prior, tier by tier; on a first page with room left, posts with some of the words follow. */
export function createRelevancePage(search: Search, nowS: number): Page {
  const { query, plan } = search
  const { limits } = plan
  const walk = openWalk(search, nowS)
  const { position, maxSeq } = walk
  const collapse = query.collapse ? createCollapse(search, { expr: plan.expr, maxSeq }) : undefined
  const bestOf = ({ tier, bound }: Tier) =>
    createBestByPrior({ size: limits.tiers[tier]!, bound, isShown: collapse?.isShown })
  const firstTier = position ? undefined : bestOf({ tier: 0, bound: null })
  const wanted = query.limit + 1

  function ranked(): Scored<FoundPost>[] {
    const page: Scored<FoundPost>[] = []
    let { tier, bound }: Tier = position ?? { tier: 0, bound: null }
    for (; tier < limits.tiers.length && page.length < wanted; tier++) {
      const best = (tier === 0 && firstTier) || bestOf({ tier, bound })
      if (best !== firstTier) collect(openScan(search, { ...matchesOf(search), maxSeq }), [best])
      const found = best.sorted()
      const scored = walk.score(found, 'all', { tier, bound })
      page.push(...scored.slice(0, wanted - page.length))
      if (found.length < limits.tiers[tier]!) break
      bound = found.at(-1)!
    }
    return page
  }

  return {
    collector: firstTier ?? null,
    finish(count) {
      const page = ranked()
      const goesOnRelaxed = position?.tier === RELAXED_TIER
      const mayRelax = position ? goesOnRelaxed : count < query.limit
      const relaxed =
        mayRelax && plan.relaxable.length > 0 ? relaxedHits(search, walk, wanted - page.length) : []
      const all = [...page, ...relaxed]
      const shown = all.slice(0, query.limit)
      const end = shown.at(-1)
      return {
        hits: shown.map((each) => ({ ...hitOf(walk.units, each), group: each.found.group })),
        next: end && all.length > query.limit ? walk.positionOf(end) : null,
        relaxed: relaxed.length > 0 || goesOnRelaxed,
      }
    },
  }
}

type Walk = ReturnType<typeof openWalk>

function openWalk({ snapshot, query, plan }: Search, now: number) {
  const { generation, seq } = snapshot
  const walk = openRelevanceWalk(plan, query, { generation, seq, nowS: now })
  const { units, nowS, position } = walk
  return {
    ...walk,
    score(found: readonly FoundPost[], matched: 'all' | 'some', at: Tier): Scored<FoundPost>[] {
      const sought = matched === 'some' ? withSharedPrefix(units, snapshot.expand) : units
      const places = placesOf(snapshot, sought, found, matched, plan.limits)
      const lookAt = (each: FoundPost, i: number) => ({ ...each, places: places[i]! })
      const scoring = { plan, units: sought, nowS, matched, at, behind: position }
      return scoreAll(found, lookAt, scoring)
    },
  }
}

/** The best posts that hold only some of the words. */
function relaxedHits(search: Search, walk: Walk, room: number): Scored<FoundPost>[] {
  const { snapshot, plan, query } = search
  const { units, maxSeq } = walk
  const walked = { ...search, plan: { ...plan, units } }
  const words = relaxedWords(walked.plan, snapshot.posts)
  const candidates = relaxedCandidates(walked, { words, size: relaxedSize(plan), maxSeq })
  const found = query.collapse ? collapseRelaxed(search, candidates, words, maxSeq) : candidates
  return walk.score(found, 'some', { tier: RELAXED_TIER, bound: null }).slice(0, room)
}

/**
 * One hit per group: the earliest member that holds some of the words. A group with a member that holds all of them is
 * left out, since that member is shown already.
 */
function collapseRelaxed(
  search: Search,
  found: readonly FoundPost[],
  words: readonly RelaxedWord[],
  maxSeq: number,
): FoundPost[] {
  const whole = wholeGroups(search, maxSeq)
  const some = createCollapse(search, { expr: someOf(words, search.plan), maxSeq })
  const groups = new Set<number>()
  return found.flatMap((each) => {
    if (each.group === 0) return [each]
    if (groups.has(each.group)) return []
    groups.add(each.group)
    if (whole.has(each.group)) return []
    const first = some.first(each.group)
    if (!first) return [each]
    const { columns } = search.snapshot.columns(bucketOf(first.sec))
    return [foundOf({ sec: first.sec, slot: first.slot, columns })]
  })
}

/**
 * The groups with a post that holds all words. Where posts with some of the words are shown, posts with all of them are
 * few, whereas a group without any may have more members than may be looked at. It has a budget of its own; whether that
 * sufficed is known from the count.
 */
function wholeGroups(search: Search, maxSeq: number): ReadonlySet<number> {
  const groups = new Set<number>()
  const budget = createBudget(search.plan.limits)
  const scan = openScan({ ...search, budget }, { ...matchesOf(search), maxSeq })
  while (scan.next()) groups.add(scan.match.columns.group[scan.match.slot]!)
  return groups
}
