import type { Expr } from '../expr.ts'
import type { RankUnit } from '../rank-unit.ts'
import { relaxedSize, relaxedWords, someOf, type RelaxedWord } from '../relax.ts'
import type { SearchResponse } from './engine-session.ts'
import { candidateFields, rankableOf, type Rankable } from './candidates.ts'
import { clustersBody, firstsBody, firstsOf, groupsOf } from './collapse.ts'
import { matchingOf, type Search } from './search.ts'
import { ORDERS, queryOfExpr, weighted, type Query } from './query-dsl.ts'

interface Options {
  readonly units: readonly RankUnit[]
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
  const [page, counted] = await search.session.search([bodyOf(search, options, words), ...more])
  const found = (page!.hits.hits ?? []).map(rankableOf)
  if (!options.isCollapsed) return { found, counted }
  return { ...(await withoutCopies(search, options, words, found)), counted }
}

function bodyOf(
  search: Search,
  { units, maxSeq, mayMatch }: Options,
  words: readonly RelaxedWord[],
): Query {
  const { plan } = search
  const should = weighted(
    words.map((word) => ({ query: newestOf(search, word), weight: word.idf })),
  )
  return {
    query: {
      bool: {
        filter: [matchingOf(search, { expr: null, maxSeq })],
        must_not: plan.expr && mayMatch ? [queryOfExpr(plan.expr)] : [],
        should,
        minimum_should_match: 1,
      },
    },
    sort: ORDERS.score,
    size: relaxedSize(plan),
    track_total_hits: false,
    ...candidateFields(search, units),
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

/**
 * A word may contribute only `share` of its newest posts. If it has more, they are limited to a period that holds about
 * that many if posts are spread evenly: finding the exact time would cost a request.
 */
function newestOf({ plan }: Search, { expr, share, df }: RelaxedWord): Query {
  const query = queryOfExpr(expr)
  if (share >= df) return query
  const gte = Math.floor(plan.untilS - ((plan.untilS - plan.sinceS) * share) / df)
  return { bool: { filter: [query, { range: { sec: { gte } } }] } }
}

/**
 * One hit per group: the earliest member that holds some of the words. A group with a member that holds all of them is
 * left out, since that member is shown already.
 */
async function withoutCopies(
  search: Search,
  { units, maxSeq }: Options,
  words: readonly RelaxedWord[],
  found: readonly Rankable[],
): Promise<Relaxed> {
  const groups = groupsOf(found)
  if (groups.length === 0) return { found }
  const some = { expr: someOf(words), maxSeq, fields: candidateFields(search, units) }
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
