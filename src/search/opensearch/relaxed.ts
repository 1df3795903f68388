import type { Expr } from '../expr.ts'
import type { RankUnit } from '../rank-unit.ts'
import { WINDOW_MS } from '../search-index.ts'
import { languageTerm } from '../terms.ts'
import { relaxedSize, relaxedWords, someOf, type RelaxedWord } from '../relax.ts'
import type { SearchResponse } from './engine-session.ts'
import { candidateFields, rankableOf, type Rankable } from './candidates.ts'
import { clustersBody, firstsBody, firstsOf, groupsOf } from './collapse.ts'
import { matchingOf, type Search } from './search.ts'
import { ORDERS, queryOfExpr, requiresTerm, weighted, type Query } from './query-dsl.ts'

const WINDOW_S = WINDOW_MS / 1000

interface Options {
  readonly units: readonly RankUnit[]
  /** With those that share a prefix: only the ranker looks for these. */
  readonly widerUnits: readonly RankUnit[]
  readonly maxSeq: number
  readonly isCollapsed: boolean
  /** False if it is known that no post holds all words. */
  readonly mayMatch: boolean
}

interface Relaxed {
  readonly found: readonly Rankable[]
  /** The answer about their groups. */
  readonly told?: SearchResponse
  /** The answer to the search that was sent along. */
  readonly counted?: SearchResponse | undefined
}

/** Posts that hold some but not all words: those with the highest sum of rarities. The searches in `more` are sent along. */
export async function relaxedCandidates(
  search: Search,
  options: Options,
  more: readonly Query[],
): Promise<Relaxed> {
  const plan = { ...search.plan, units: options.units }
  const words = relaxedWords(plan, search.posts).map((word) => ({
    ...word,
    expr: heldForms(word.expr, search),
  }))
  if (words.length === 0) return { found: [] }
  const narrowed = words.some(({ share, df }) => share < df) ? await requiredShare(search) : 1
  const should = weighted(
    words.map((word) => ({ query: newestOf(search, word, narrowed), weight: word.idf })),
  )
  const [page, counted] = await search.session.search([
    bodyOf(search, options, words, should),
    ...more,
  ])
  const found = (page!.hits.hits ?? []).map(rankableOf)
  if (!options.isCollapsed) return { found, counted }
  return { ...(await withoutCopies(search, options, words, found)), counted }
}

function bodyOf(
  search: Search,
  { widerUnits, maxSeq, mayMatch }: Options,
  words: readonly RelaxedWord[],
  should: readonly Query[],
): Query {
  const { plan } = search
  const hasTerm = words.every(({ expr }) => requiresTerm(expr))
  return {
    query: {
      bool: {
        filter: [matchingOf(search, { expr: plan.required, maxSeq, hasTerm })],
        must_not: plan.expr && mayMatch ? [queryOfExpr(plan.expr)] : [],
        should,
        minimum_should_match: 1,
      },
    },
    sort: ORDERS.score,
    size: relaxedSize(plan),
    track_total_hits: false,
    ...candidateFields(widerUnits),
  }
}

/** Without the forms that no post holds: each would be looked up in every segment. */
function heldForms(expr: Expr, search: Search): Expr {
  if (expr.kind === 'and' || expr.kind === 'or') {
    return { ...expr, parts: expr.parts.map((part) => heldForms(part, search)) }
  }
  if (expr.kind !== 'any' || expr.prefix !== undefined) return expr
  const terms = expr.terms.filter((term) => search.df(term) !== 0)
  return terms.length > 0 ? { ...expr, terms } : expr
}

/** Nearly all posts with a word are in its own language, so a language narrows nothing. */
const isLanguage = (term: string) => term.startsWith(languageTerm(''))

/** The share of all posts that meet what is required beside the words, as a channel; 1 if nothing is. */
async function requiredShare({ plan: { required }, posts, frequencies }: Search): Promise<number> {
  const lists = (required?.kind === 'and' ? required.parts : [required]).flatMap((part) =>
    part?.kind === 'any' && part.prefix === undefined && !part.terms.every(isLanguage)
      ? [part.terms]
      : [],
  )
  if (lists.length === 0) return 1
  const df = await frequencies(lists.flat())
  const held = lists.map((terms) => terms.reduce((sum, term) => sum + (df.get(term) ?? 0), 0))
  return Math.min(1, ...held.map((count) => count / posts))
}

/**
 * A word may contribute only `share` of its newest posts. If it has more, they are limited to a period that holds about
 * that many if posts are spread evenly over the window: finding the exact time would cost a request.
 */
function newestOf(
  { plan, windowS }: Search,
  { expr, share, df }: RelaxedWord,
  narrowed: number,
): Query {
  const query = queryOfExpr(expr)
  if (share >= df * narrowed) return query
  const newestS = Math.min(plan.untilS, windowS + WINDOW_S)
  const gte = Math.floor(newestS - (WINDOW_S * share) / (df * narrowed))
  return { bool: { filter: [query, { range: { sec: { gte } } }] } }
}

/**
 * One hit per group: the earliest member that holds some of the words. A group with a member that holds all of them is
 * left out, since that member is shown already.
 */
async function withoutCopies(
  search: Search,
  { widerUnits, maxSeq }: Options,
  words: readonly RelaxedWord[],
  found: readonly Rankable[],
): Promise<Relaxed> {
  const groups = groupsOf(found)
  if (groups.length === 0) return { found }
  const some = {
    expr: someOf(words, search.plan),
    maxSeq,
    fields: candidateFields(widerUnits),
  }
  const [strict, firsts, told] = await search.session.search([
    firstsBody(search, groups, { maxSeq }),
    firstsBody(search, groups, some),
    clustersBody(search, groups),
  ])
  const isWhole = firstsOf(strict!)
  const ranked = (firsts!.hits.hits ?? []).map(rankableOf)
  const first = new Map(ranked.map((each) => [each.group, each]))
  const seen = new Set<number>()
  const shown = found.flatMap((each) => {
    if (each.group === null) return [each]
    if (seen.has(each.group) || isWhole.has(each.group)) return []
    seen.add(each.group)
    return [first.get(each.group) ?? each]
  })
  return { found: shown, told: told! }
}
