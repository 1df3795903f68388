import type {
  Cluster,
  Correction,
  FacetName,
  FacetValue,
  SearchHit,
  SearchQuery,
  SearchResult,
} from '../model/query.ts'
import { correct } from './correct.ts'
import { finishFacets, timeFacet } from './facet-values.ts'
import type { SearchLimits } from './limits.ts'
import type { Expr, TermStats } from './expr.ts'
import { planSearch, type Plan } from './plan.ts'
import * as position from './position.ts'
import { compareNewest, secondsOf } from './prior.ts'
import { lackedWords } from './rank-unit.ts'
import { createRanker } from './rank.ts'
import { isStrictMatch, relaxedSize, relaxedWords, someOf } from './relax.ts'
import { isWithin, matches, type Kept } from './scan-match.ts'
import { WINDOW_MS } from './search-index.ts'

/** What the oracle searches. */
export interface Corpus {
  readonly posts: ReadonlyMap<string, Kept>
  readonly generation: number
  readonly seq: number
  readonly stats: TermStats
  /** Earliest first. */
  membersOf(group: number): Kept[]
  subscribers(channelId: number): number
}

interface Page {
  readonly hits: readonly {
    kept: Kept
    score: number
    missing: readonly string[]
    matched: 'all' | 'some'
  }[]
  readonly next: SearchResult['next']
  readonly relaxed: boolean
}

/** Every post is looked at; what is slow and plain here is quick elsewhere and must give the same. */
export function searchByScanning(
  corpus: Corpus,
  query: SearchQuery,
  now: number,
  limits: SearchLimits,
): SearchResult {
  const plan = planSearch(query, now, corpus.stats, limits)
  const found = matching(corpus, plan, plan.expr)
  const page =
    query.sort === 'relevance'
      ? byRelevance(corpus, query, plan, found, secondsOf(now))
      : byKey(query, found)
  const isVisited = query.facets.length > 0 || query.sort === 'views'
  const limit = isVisited ? limits.visits : limits.total
  const windowS = secondsOf(now - WINDOW_MS)
  const isCut = isVisited && found.length > limit
  const reason = !plan.complete ? 'prefix' : isCut ? 'visits' : null
  return {
    hits: page.hits.map(({ kept, score, missing, matched }): SearchHit => ({
      channelId: kept.channelId,
      number: kept.number,
      score,
      matched,
      missing,
      cluster: query.collapse ? (clusterOf(corpus, kept.group, windowS)?.cluster ?? null) : null,
    })),
    total: {
      value: Math.min(found.length, limit),
      relation: found.length > limit ? 'gte' : 'eq',
    },
    facets: facetsOf(query.facets, found, limits.facetValues),
    next: page.next,
    relaxed: page.relaxed,
    complete: reason === null,
    reason,
    corrections: found.length === 0 ? correctionsOf(corpus, query, plan) : [],
  }
}

function correctionsOf(corpus: Corpus, query: SearchQuery, plan: Plan): Correction[] {
  return correct(query, plan, {
    df: corpus.stats.df,
    hasMatch: (expr) => matching(corpus, plan, expr).length > 0,
  })
}

function matching(corpus: Corpus, plan: Plan, expr: Expr | null, maxSeq = Infinity): Kept[] {
  return [...corpus.posts.values()].filter(
    (kept) =>
      kept.sec >= plan.sinceS &&
      kept.sec < plan.untilS &&
      kept.seq <= maxSeq &&
      matches(expr, kept) &&
      isWithin(plan.bounds, kept, corpus.subscribers(kept.channelId)),
  )
}

/** Of each group the earliest only. */
function collapsed(found: readonly Kept[]): Kept[] {
  const firsts = new Map<number, Kept>()
  for (const kept of found) {
    const first = firsts.get(kept.group)
    if (!first || compareNewest(reversed(kept), reversed(first)) > 0) firsts.set(kept.group, kept)
  }
  return found.filter((kept) => kept.group === 0 || firsts.get(kept.group) === kept)
}

/** Within one second the earlier is the one of the lower channel and number, in both directions of time. */
function reversed(kept: Kept) {
  return { sec: kept.sec, channelId: -kept.channelId, number: -kept.number }
}

function byKey(query: SearchQuery, found: readonly Kept[]): Page {
  const isViews = query.sort === 'views'
  const last = isViews
    ? position.readViewsPosition(query.after)
    : position.readTimePosition(query.after)
  type Place = Pick<Kept, 'sec' | 'channelId' | 'number'> & { readonly views?: number }
  const compare = (a: Place, b: Place) => {
    if (query.sort === 'oldest') return compareNewest(b, a)
    return (isViews ? (b.views ?? 0) - (a.views ?? 0) : 0) || compareNewest(a, b)
  }
  const shown = (query.collapse ? collapsed(found) : [...found])
    .filter((kept) => !last || compare(kept, last) > 0)
    .sort(compare)
  const hits = shown.slice(0, query.limit)
  const end = shown.length > query.limit ? hits.at(-1) : undefined
  return {
    hits: hits.map((kept) => ({ kept, score: 0, missing: [], matched: 'all' })),
    next: !end
      ? null
      : isViews
        ? position.writeViewsPosition(end)
        : position.writeTimePosition(end),
    relaxed: false,
  }
}

function byRelevance(
  corpus: Corpus,
  query: SearchQuery,
  plan: Plan,
  all: readonly Kept[],
  nowS: number,
): Page {
  const walk = position.readRelevancePosition(query.after)
  const units = plan.units.map((unit, i) => ({ ...unit, idf: walk?.idfs[i] ?? unit.idf }))
  const ranker = createRanker(units, walk?.nowS ?? nowS)
  const maxSeq = walk && walk.generation === corpus.generation ? walk.seq : Infinity
  const open = all.filter((kept) => kept.seq <= maxSeq)
  const byPrior = (query.collapse ? collapsed(open) : [...open]).sort(comparePriors)
  type Scored = Page['hits'][number] & position.ScorePlace & { tier: number; bound: Kept | null }
  const list: Scored[] = []
  const add = (tier: number, bound: Kept | null, found: readonly Kept[]) => {
    const scored: Scored[] = []
    for (const kept of found) {
      const candidate = { ...kept, firstLine: kept.document.firstLineToks }
      const matched = tier === position.RELAXED_TIER ? 'some' : 'all'
      const { score, missing } = ranker[matched](candidate)
      const isStrict = isStrictMatch(plan, missing)
      if (matched === 'some' && (isStrict || missing.length === units.length)) continue
      const texts = matched === 'some' ? lackedWords(units, missing) : []
      const { sec, channelId, number } = kept
      scored.push({ kept, score, sec, channelId, number, missing: texts, matched, tier, bound })
    }
    list.push(...scored.sort(compareScores))
  }
  const [first = 0, second = 0] = plan.limits.tiers
  const rest = walk?.bound
    ? byPrior.filter((kept) => comparePriors(kept, walk.bound!) > 0)
    : byPrior
  if (!walk || walk.tier === 0) {
    add(0, null, rest.slice(0, first))
    if (rest.length >= first) add(1, rest[first - 1]!, rest.slice(first, first + second))
  } else if (walk.tier === 1) add(1, walk.bound as Kept, rest.slice(0, second))

  const mayRelax = walk ? walk.tier === position.RELAXED_TIER : all.length < query.limit
  const strictHits = list.length
  if (mayRelax && plan.relaxable.length > 0) {
    add(position.RELAXED_TIER, null, relaxed(corpus, { ...plan, units }, query.collapse, maxSeq))
  }
  const left = list.filter(
    (each) => !walk || each.tier !== walk.tier || compareScores(each, walk.last) > 0,
  )
  const hits = left.slice(0, query.limit)
  const end = left.length > query.limit ? hits.at(-1) : undefined
  return {
    hits,
    next: end
      ? position.writeRelevancePosition({
          generation: corpus.generation,
          seq: walk?.seq ?? corpus.seq,
          nowS: walk?.nowS ?? nowS,
          tier: end.tier,
          bound: end.bound,
          last: end,
          idfs: units.map((unit) => unit.idf),
        })
      : null,
    relaxed: walk?.tier === position.RELAXED_TIER || list.length > strictHits,
  }
}

function relaxed(corpus: Corpus, plan: Plan, isCollapsed: boolean, maxSeq: number): Kept[] {
  const sums = new Map<Kept, number>()
  const words = relaxedWords(plan, corpus.stats.posts)
  for (const word of words) {
    const holding = matching(corpus, plan, word.expr, maxSeq).sort(compareNewest)
    const edge = holding[word.share - 1]?.sec ?? -Infinity
    for (const kept of holding) {
      if (kept.sec >= edge) sums.set(kept, (sums.get(kept) ?? 0) + word.idf)
    }
  }
  const best = [...sums]
    .sort(([a, x], [b, y]) => y - x || compareNewest(a, b))
    .slice(0, relaxedSize(plan))
    .map(([kept]) => kept)
  if (!isCollapsed) return best
  const strict = new Set(matching(corpus, plan, plan.expr, maxSeq).map((kept) => kept.group))
  const firsts = collapsed(matching(corpus, plan, someOf(words), maxSeq))
  const groups = new Set<number>()
  return best.flatMap((kept) => {
    if (kept.group === 0 || corpus.membersOf(kept.group).length === 1) return [kept]
    if (groups.has(kept.group) || strict.has(kept.group)) return []
    groups.add(kept.group)
    return firsts.filter((each) => each.group === kept.group)
  })
}

function comparePriors(a: position.PriorPlace, b: position.PriorPlace): number {
  return b.prior - a.prior || compareNewest(a, b)
}

function compareScores(a: position.ScorePlace, b: position.ScorePlace): number {
  return b.score - a.score || compareNewest(a, b)
}

export function clusterOf(
  corpus: Corpus,
  group: number,
  windowS: number,
): { cluster: Cluster; members: Kept[] } | undefined {
  if (group === 0) return undefined
  const members = corpus.membersOf(group).filter((kept) => kept.sec >= windowS)
  const first = members[0]
  if (!first || members.length < 2) return undefined
  const cluster = {
    id: String(group),
    size: members.length,
    channels: new Set(members.map((kept) => kept.channelId)).size,
    first: { channelId: first.channelId, number: first.number },
  }
  return { cluster, members }
}

function facetsOf(
  names: readonly FacetName[],
  found: readonly Kept[],
  most: number,
): Partial<Record<FacetName, readonly FacetValue[]>> {
  const facets: Partial<Record<FacetName, readonly FacetValue[]>> = {}
  for (const name of names) {
    if (name === 'day' || name === 'hour') {
      const length = name === 'day' ? 86_400 : 3_600
      facets[name] = timeFacet(name, tally(found.map((kept) => Math.floor(kept.sec / length))))
    } else {
      const counts = tally(found.flatMap((kept) => valuesOf(name, kept)))
      facets[name] = finishFacets(
        [...counts].map(([value, count]) => ({ value, count })),
        most,
      )
    }
  }
  return facets
}

function valuesOf(name: Exclude<FacetName, 'day' | 'hour'>, kept: Kept): readonly string[] {
  const { document } = kept
  switch (name) {
    case 'channel':
      return [String(kept.channelId)]
    case 'lang':
      return document.language === null ? [] : [document.language]
    case 'domain':
      return document.domains
    case 'hashtag':
      return document.hashtags
    case 'has':
      return document.has
  }
}

function tally<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
