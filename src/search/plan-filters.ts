import type { Inclusion, IsValue, ListFilter, SearchFilters } from '../model/query.ts'
import type { Expr } from './expr.ts'
import * as terms from './terms.ts'

/** The filters given as parameters, each as a separate condition. */
export function exprOfFilters(filters: SearchFilters): Expr[] {
  return [
    ...listed(filters.channel, terms.channelTerm),
    ...listed(filters.lang, terms.languageTerm),
    ...listed(filters.hashtag, (tag) => `#${tag}`),
    ...listed(filters.mention, (name) => `@${name}`),
    ...listed(filters.domain, terms.domainTerm),
    ...listed(filters.url, terms.urlTerm),
    ...listed(filters.forwardedFrom, terms.forwardTerm),
    ...filters.has.map((value): Expr => ({ kind: 'any', terms: [terms.hasTerm(value)] })),
    ...included(filters.forwards, 'forward'),
    ...included(filters.replies, 'reply'),
    ...included(filters.edited, 'edited'),
  ]
}

function listed<T>(filter: ListFilter<T>, termOf: (value: T) => string): Expr[] {
  const parts: Expr[] = []
  if (filter.any.length > 0) parts.push({ kind: 'any', terms: filter.any.map(termOf) })
  if (filter.none.length > 0) {
    parts.push({ kind: 'not', part: { kind: 'any', terms: filter.none.map(termOf) } })
  }
  return parts
}

function included(inclusion: Inclusion, value: IsValue): Expr[] {
  const expr: Expr = { kind: 'any', terms: [terms.isTerm(value)] }
  if (inclusion === 'only') return [expr]
  return inclusion === 'exclude' ? [{ kind: 'not', part: expr }] : []
}
