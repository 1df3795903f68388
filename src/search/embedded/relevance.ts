import type { SearchQuery } from '../../model/query.ts'
import type { Expr } from '../expr.ts'
import type { Plan } from '../plan.ts'
import { compareNewest } from '../prior.ts'
import {
  readRelevancePosition,
  RELAXED_TIER,
  writeRelevancePosition,
  type PriorPlace,
  type ScorePlace,
} from '../position.ts'
import { lackedWords } from '../rank-unit.ts'
import { createRanker } from '../rank.ts'
import { isStrictMatch, relaxedSize, relaxedWords, someOf } from '../relax.ts'
import { bestByPrior, candidatesOf, foundOf, type Found } from './candidates.ts'
import { createCollapse } from './collapse.ts'
import type { SearchBudget, Seen } from './matches.ts'
import { bucketOf } from '../bucket.ts'
import { relaxedCandidates } from './relaxed.ts'
import { timesOf } from './times.ts'
import type { RawHit, RawPage } from './raw-page.ts'
import type { Snapshot } from './snapshot.ts'

interface Scored extends ScorePlace {
  readonly hit: RawHit
  readonly tier: number
  readonly bound: PriorPlace | null
}

export function compareScores(a: ScorePlace, b: ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}

/** Tier by tier the best by prior, each ranked; then, on a first page they do not fill, posts that hold some words. */
export function searchByRelevance(
  snapshot: Snapshot,
  query: SearchQuery,
  plan: Plan,
  budget: SearchBudget,
  nowS: number,
): RawPage {
  const { limits } = plan
  const walk = readRelevancePosition(query.after)
  const units = walk
    ? plan.units.map((unit, i) => ({ ...unit, idf: walk.idfs[i] ?? unit.idf }))
    : plan.units
  const since = walk?.nowS ?? nowS
  const ranker = createRanker(units, since)
  // After a rebuild the numbers of changes mean nothing any more; the score alone then keeps the walk in place.
  const maxSeq = walk && walk.generation === snapshot.generation ? walk.seq : Infinity
  const collapse = query.collapse
    ? createCollapse(snapshot, plan, { expr: plan.expr, budget, maxSeq })
    : undefined
  const page: Scored[] = []
  let seen: Seen | undefined
  let tier = walk?.tier ?? 0
  let bound = walk?.bound ?? null
  const wanted = query.limit + 1

  function score(found: readonly Found[], matched: 'all' | 'some'): Scored[] {
    const scored: Scored[] = []
    for (const { found: each, candidate } of candidatesOf(snapshot, found)) {
      const { score, missing } = ranker[matched](candidate)
      const isStrict = isStrictMatch(plan, missing)
      if (matched === 'some' && (isStrict || missing.length === units.length)) continue
      const { sec, channelId, number, group } = each
      const place = { score, sec, channelId, number }
      if (walk && tier === walk.tier && compareScores(place, walk.last) <= 0) continue
      const texts = matched === 'some' ? lackedWords(units, missing) : []
      const hit: RawHit = { channelId, number, score, matched, missing: texts, group }
      scored.push({ ...place, hit, tier, bound })
    }
    return scored
  }

  function take(scored: Scored[]): void {
    page.push(...scored.sort(compareScores).slice(0, wanted - page.length))
  }

  /** Those that may score best are looked at first, until no other can reach the page. */
  function takeSome(found: readonly Found[]): void {
    const times = timesOf(snapshot, plan, found)
    const ordered = found
      .map((each, i) => ({ each, atMost: ranker.someAtMost(times[i]!, each) }))
      .sort((a, b) => b.atMost - a.atMost)
    const room = wanted - page.length
    let best: Scored[] = []
    for (let at = 0; at < ordered.length; at += limits.relaxedRead) {
      if (best.length === room && ordered[at]!.atMost < best.at(-1)!.score) break
      const next = ordered.slice(at, at + limits.relaxedRead).map(({ each }) => each)
      best = [...best, ...score(next, 'some')].sort(compareScores).slice(0, room)
    }
    page.push(...best)
  }

  while (tier < limits.tiers.length && page.length < wanted) {
    const size = limits.tiers[tier]!
    const best = bestByPrior(snapshot, plan, {
      size,
      bound,
      maxSeq,
      budget,
      ...(collapse ? { isShown: collapse.isShown } : {}),
    })
    if (tier === 0 && walk === null) seen = best.seen
    take(score(best.found, 'all'))
    if (best.found.length < size || page.length >= wanted) break
    tier++
    bound = best.found.at(-1)!
  }

  const isFirst = seen?.scan === null && seen.count < query.limit
  let relaxed = false
  if (plan.relaxable.length > 0 && (walk?.tier === RELAXED_TIER || isFirst)) {
    tier = RELAXED_TIER
    const before = page.length
    const walked = { ...plan, units }
    const words = relaxedWords(walked, snapshot.posts)
    const options = { words, size: relaxedSize(plan), maxSeq, budget }
    const found = relaxedCandidates(snapshot, walked, options)
    const shown = query.collapse
      ? collapseRelaxed(snapshot, plan, found, { expr: someOf(words), budget, maxSeq })
      : found
    takeSome(shown)
    relaxed = page.length > before
  }

  const shown = page.slice(0, query.limit)
  const end = shown.at(-1)
  return {
    hits: shown.map((each) => each.hit),
    next:
      end && page.length > query.limit
        ? writeRelevancePosition({
            generation: snapshot.generation,
            seq: walk ? walk.seq : snapshot.seq,
            nowS: since,
            tier: end.tier,
            bound: end.bound,
            last: end,
            idfs: units.map((unit) => unit.idf),
          })
        : null,
    relaxed: relaxed || walk?.tier === RELAXED_TIER,
    ...(seen ? { seen } : {}),
  }
}

/** Each group by the earliest member that holds some of the words, unless one holds them all and was shown for it. */
function collapseRelaxed(
  snapshot: Snapshot,
  plan: Plan,
  found: readonly Found[],
  options: { readonly expr: Expr; readonly budget: SearchBudget; readonly maxSeq: number },
): Found[] {
  const strict = createCollapse(snapshot, plan, { ...options, expr: plan.expr })
  const some = createCollapse(snapshot, plan, options)
  const groups = new Set<number>()
  return found.flatMap((each) => {
    if (each.group === 0) return [each]
    if (groups.has(each.group)) return []
    groups.add(each.group)
    if (strict.first(each.group)) return []
    const first = some.first(each.group)
    if (!first) return [each]
    const { columns } = snapshot.columns(bucketOf(first.sec))
    return [foundOf({ sec: first.sec, slot: first.slot, columns })]
  })
}
