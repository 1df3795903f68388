import type { FacetName } from '../../model/query.ts'
import type { Expr } from '../expr.ts'
import { LENGTH_S } from '../facet-values.ts'
import type { NumberRange } from '../number-ranges.ts'
import type { Plan } from '../plan.ts'
import { isWord } from '../terms.ts'
import { LIVE, NEWEST } from './mapping.ts'

/** Translates a plan into requests to the engine. Pure: the same plan gives the same JSON. */

export type Query = Readonly<Record<string, unknown>>

const NONE: Query = { match_none: {} }
/** Words that a prefix at the end of a phrase may stand for: as alternatives, fewer than the clauses an engine allows. */
export const PHRASE_ENDINGS = 1_000

export function queryOfExpr(expr: Expr): Query {
  switch (expr.kind) {
    case 'any':
      return expr.prefix === undefined
        ? anyOf(expr.terms)
        : { prefix: { w: { value: expr.prefix } } }
    case 'phrase':
      return phraseOf(expr)
    case 'and':
      return { bool: { filter: expr.parts.map(queryOfExpr) } }
    case 'or':
      return { bool: { should: expr.parts.map(queryOfExpr), minimum_should_match: 1 } }
    case 'not':
      return { bool: { must_not: [queryOfExpr(expr.part)] } }
  }
}

function anyOf(terms: readonly string[]): Query {
  const words = terms.filter(isWord)
  const others = terms.filter((term) => !isWord(term))
  const parts = [...termsOf('w', words), ...termsOf('k', others)]
  if (parts.length > 1) return { bool: { should: parts, minimum_should_match: 1 } }
  return parts[0] ?? NONE
}

function termsOf(field: string, terms: readonly string[]): Query[] {
  if (terms.length === 0) return []
  return [terms.length === 1 ? { term: { [field]: terms[0] } } : { terms: { [field]: terms } }]
}

function phraseOf({ toks, ending }: Extract<Expr, { kind: 'phrase' }>): Query {
  if (ending?.prefix !== undefined) {
    const query = [...toks, ending.prefix].join(' ')
    return { match_phrase_prefix: { w: { query, max_expansions: PHRASE_ENDINGS } } }
  }
  if (ending) return sideBySide([...toks.map((tok) => [tok]), ending.toks])
  return toks.length === 1 ? { term: { w: toks[0] } } : { match_phrase: { w: toks.join(' ') } }
}

/** One word of each place, in a row. */
function sideBySide(places: readonly (readonly string[])[]): Query {
  const clauses = places.map((toks) => {
    const words = toks.map((tok) => ({ span_term: { w: tok } }))
    return words.length > 1 ? { span_or: { clauses: words } } : words[0]
  })
  return { span_near: { clauses, slop: 0, in_order: true } }
}

export interface Narrowing {
  /** Used instead of the plan's own. */
  readonly expr?: Expr | null
  /** Posts that changed later are left out. */
  readonly maxSeq?: number
  /** Channels with enough subscribers, as written by `bitmapOf`; undefined if any number is enough. */
  readonly channels?: string | undefined
  readonly more?: readonly Query[]
  readonly but?: readonly Query[]
  /** True if a term is required beside this. */
  readonly hasTerm?: boolean
}

/** Which posts match; nothing is scored. */
export function matching(plan: Plan, narrowing: Narrowing = {}): Query {
  const { expr = plan.expr, maxSeq = Infinity, channels, more = [], but = [] } = narrowing
  const { hasTerm = expr !== null && requiresTerm(expr) } = narrowing
  const filter = [
    // A removed post has no terms. Where one is required, `live` would be looked up for every match for nothing.
    ...(hasTerm ? [] : [{ term: { live: LIVE } }]),
    { range: { sec: { gte: plan.sinceS, lt: plan.untilS } } },
    ...plan.ranges.flatMap(queryOfRange),
    ...(maxSeq < Infinity ? [{ range: { seq: { lte: maxSeq } } }] : []),
    ...(channels === undefined ? [] : [{ terms: { ch: [channels], value_type: 'bitmap' } }]),
    ...(expr ? [queryOfExpr(expr)] : []),
    ...more,
  ]
  return { bool: { filter, ...(but.length > 0 && { must_not: but }) } }
}

/** Whether a post without any terms cannot match. */
export function requiresTerm(expr: Expr): boolean {
  switch (expr.kind) {
    case 'any':
    case 'phrase':
      return true
    case 'and':
      return expr.parts.some(requiresTerm)
    case 'or':
      return expr.parts.every(requiresTerm)
    case 'not':
      return false
  }
}

/** Subscribers are no field of posts: `channels` in `Narrowing` restricts them. */
function queryOfRange({ name, from, to }: NumberRange): Query[] {
  if (name === 'subscribers') return []
  return [{ range: { [name]: { gte: from, ...(to < Infinity && { lt: to }) } } }]
}

/** Fields to sort by, with directions. */
type Sort = readonly Readonly<Record<string, 'asc' | 'desc'>>[]

const BY_TIME: Sort = Object.entries(NEWEST).map(([field, order]) => ({ [field]: order }))
export const EARLIEST: Sort = [{ sec: 'asc' }, { ch: 'asc' }, { no: 'asc' }]

export const ORDERS: Readonly<Record<'newest' | 'oldest' | 'views' | 'prior' | 'score', Sort>> = {
  newest: BY_TIME,
  oldest: [{ sec: 'asc' }, { ch: 'desc' }, { no: 'asc' }],
  views: [{ views: 'desc' }, ...BY_TIME],
  prior: [{ prior: 'desc' }, ...BY_TIME],
  score: [{ _score: 'desc' }, ...BY_TIME],
}

/** Values that each shard returns for a facet: if there are more, a count may be too low, and the engine says so. */
export const SHARD_VALUES = 5_000

const FIELDS = { channel: 'chan', lang: 'lang', domain: 'dom', hashtag: 'tag', has: 'has' }

export function facetOf(name: FacetName, most: number, shardValues = SHARD_VALUES): Query {
  if (name === 'day' || name === 'hour') {
    return { histogram: { field: 'sec', interval: LENGTH_S[name], min_doc_count: 1 } }
  }
  return {
    terms: {
      field: FIELDS[name],
      size: most,
      shard_size: shardValues,
      order: [{ _count: 'desc' }, { _key: 'asc' }],
      // Counts only the values of matching posts, without a table of all values.
      execution_hint: 'map',
    },
  }
}

/** Clauses with constant weights, which the engine adds up. The weights are sixty-fourths, so that the sums are exact. */
export function weighted(parts: readonly { readonly query: Query; readonly weight: number }[]) {
  return parts.map(({ query, weight }) => ({ constant_score: { filter: query, boost: weight } }))
}
