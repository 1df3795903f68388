import { bucketOf } from '../bucket.ts'
import {
  readRelevancePosition,
  RELAXED_TIER,
  writeRelevancePosition,
  type PriorPlace,
  type ScorePlace,
} from '../position.ts'
import { compareNewest } from '../prior.ts'
import { lackedWords } from '../rank-unit.ts'
import { createRanker } from '../rank.ts'
import { isStrictMatch, relaxedSize, relaxedWords, someOf, type RelaxedWord } from '../relax.ts'
import { candidatesOf, createBestByPrior, foundOf, type Found } from './candidates.ts'
import { createCollapse } from './collapse.ts'
import { collect, type Page, type RawHit, type Search } from './collector.ts'
import { matchesOf, openScan } from './matches.ts'
import { relaxedCandidates } from './relaxed.ts'
import { frequencyBounds } from './frequency-bounds.ts'

interface Tier {
  readonly tier: number
  readonly bound: PriorPlace | null
}

interface Scored extends ScorePlace, Tier {
  readonly hit: RawHit
}

function compareScores(a: ScorePlace, b: ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}

/** Tier by tier the best by prior, each ranked; then, on a first page they do not fill, posts that hold some words. */
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

  function ranked(): Scored[] {
    const page: Scored[] = []
    let { tier, bound }: Tier = position ?? { tier: 0, bound: null }
    for (; tier < limits.tiers.length && page.length < wanted; tier++) {
      const best = (tier === 0 && firstTier) || bestOf({ tier, bound })
      if (best !== firstTier) collect(openScan(search, { ...matchesOf(search), maxSeq }), [best])
      const found = best.sorted()
      const scored = walk.score(found, 'all', { tier, bound }).sort(compareScores)
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
        hits: shown.map((each) => each.hit),
        next: end && all.length > query.limit ? walk.positionOf(end) : null,
        relaxed: relaxed.length > 0 || goesOnRelaxed,
      }
    },
  }
}

type Walk = ReturnType<typeof openWalk>

/** What all pages of a walk share: its moment, its rarities, and the changes it does not see. */
function openWalk({ snapshot, query, plan }: Search, nowS: number) {
  const position = readRelevancePosition(query.after)
  const units = position
    ? plan.units.map((unit, i) => ({ ...unit, idf: position.idfs[i] ?? unit.idf }))
    : plan.units
  const since = position?.nowS ?? nowS
  const ranker = createRanker(units, since)
  return {
    position,
    units,
    ranker,
    // After a rebuild the numbers of changes mean nothing any more; the score alone then keeps the walk in place.
    maxSeq: position && position.generation === snapshot.generation ? position.seq : Infinity,

    /** Without those that earlier pages have shown. */
    score(found: readonly Found[], matched: 'all' | 'some', at: Tier): Scored[] {
      const scored: Scored[] = []
      for (const { found: each, candidate } of candidatesOf(snapshot, found)) {
        const { score, missing } = ranker[matched](candidate)
        const isStrict = isStrictMatch(plan, missing)
        if (matched === 'some' && (isStrict || missing.length === units.length)) continue
        const { sec, channelId, number, group } = each
        const place = { score, sec, channelId, number }
        if (position?.tier === at.tier && compareScores(place, position.last) <= 0) continue
        const texts = matched === 'some' ? lackedWords(units, missing) : []
        const hit: RawHit = { channelId, number, score, matched, missing: texts, group }
        scored.push({ ...place, ...at, hit })
      }
      return scored
    },

    positionOf: (last: Scored) =>
      writeRelevancePosition({
        generation: snapshot.generation,
        seq: position ? position.seq : snapshot.seq,
        nowS: since,
        tier: last.tier,
        bound: last.bound,
        last,
        idfs: units.map((unit) => unit.idf),
      }),
  }
}

/** The best posts that hold some of the words. Those that may score best are read first, until no other can reach the page. */
function relaxedHits(search: Search, walk: Walk, room: number): Scored[] {
  const { snapshot, plan, query } = search
  const { ranker, units, maxSeq } = walk
  const walked = { ...search, plan: { ...plan, units } }
  const words = relaxedWords(walked.plan, snapshot.posts)
  const candidates = relaxedCandidates(walked, { words, size: relaxedSize(plan), maxSeq })
  const found = query.collapse ? collapseRelaxed(search, candidates, words, maxSeq) : candidates
  const frequencies = frequencyBounds(snapshot, plan, found)
  const ordered = found
    .map((each, i) => ({ each, atMost: ranker.someAtMost(frequencies[i]!, each) }))
    .sort((a, b) => b.atMost - a.atMost)
  const { relaxedRead } = plan.limits
  let best: Scored[] = []
  for (let at = 0; at < ordered.length; at += relaxedRead) {
    if (best.length === room && ordered[at]!.atMost < best.at(-1)!.score) break
    const next = ordered.slice(at, at + relaxedRead).map(({ each }) => each)
    const scored = walk.score(next, 'some', { tier: RELAXED_TIER, bound: null })
    best = [...best, ...scored].sort(compareScores).slice(0, room)
  }
  return best
}

/** Each group by the earliest member that holds some of the words, unless one holds them all and was shown for it. */
function collapseRelaxed(
  search: Search,
  found: readonly Found[],
  words: readonly RelaxedWord[],
  maxSeq: number,
): Found[] {
  const strict = createCollapse(search, { expr: search.plan.expr, maxSeq })
  const some = createCollapse(search, { expr: someOf(words), maxSeq })
  const groups = new Set<number>()
  return found.flatMap((each) => {
    if (each.group === 0) return [each]
    if (groups.has(each.group)) return []
    groups.add(each.group)
    if (strict.first(each.group)) return []
    const first = some.first(each.group)
    if (!first) return [each]
    const { columns } = search.snapshot.columns(bucketOf(first.sec))
    return [foundOf({ sec: first.sec, slot: first.slot, columns })]
  })
}
