import { HAS_VALUES } from '../../src/model/query.ts'

/** One piece of a file, and its replacement. */
export interface Mutation {
  readonly file: string
  readonly find: string
  readonly replace: string
}

const drop = (file: string, find: string): Mutation => ({ file, find, replace: '' })
const instead = (file: string, find: string, replace: string): Mutation => ({ file, find, replace })

const FILTERS = 'src/search/plan-filters.ts'
export const PLAN = 'src/search/plan.ts'
const SEARCH = 'src/search/embedded/search.ts'
export const OPERATION = 'src/operations/search-query.ts'
export const FEATURES = 'src/text/post-features.ts'
export const RANKER = 'src/search/rank.ts'
export const UNITS = 'src/search/rank-unit.ts'
/** Sets a constant of the ranker so that it no longer distinguishes posts. */
const flat = (file: string, line: string, without: string) =>
  instead(file, line, line.replace(/[\d.]+(?=\D*$)/, without))
/** A filter as the operation passes it on; lists go with their twins. */
const listed = (name: string, given: string, twin: string) => [
  instead(
    OPERATION,
    `      ${name}: lists(${given}, ${twin})`,
    `      ${name}: lists(undefined, ${twin})`,
  ),
  instead(
    OPERATION,
    `      ${name}: lists(${given}, ${twin})`,
    `      ${name}: lists(${given}, undefined)`,
  ),
]
export const MUTATIONS: readonly Mutation[] = [
  drop(FILTERS, '    ...listed(filters.channel, terms.channelTerm),'),
  drop(FILTERS, '    ...listed(filters.lang, terms.languageTerm),'),
  drop(FILTERS, '    ...listed(filters.hashtag, (tag) => `#${tag}`),'),
  drop(FILTERS, '    ...listed(filters.mention, (name) => `@${name}`),'),
  drop(FILTERS, '    ...listed(filters.domain, terms.domainTerm),'),
  drop(FILTERS, '    ...listed(filters.url, terms.urlTerm),'),
  drop(FILTERS, '    ...listed(filters.forwardedFrom, terms.forwardTerm),'),
  drop(
    FILTERS,
    "    ...filters.has.map((value): Expr => ({ kind: 'any', terms: [terms.hasTerm(value)] })),",
  ),
  drop(FILTERS, "    ...included(filters.forwards, 'forward'),"),
  drop(FILTERS, "    ...included(filters.replies, 'reply'),"),
  drop(FILTERS, "    ...included(filters.edited, 'edited'),"),
  instead(FILTERS, 'if (filter.none.length > 0) {', 'if (Math.random() > 2) {'),
  instead(PLAN, 'filters.minViews ?? 0', '0'),
  instead(PLAN, 'filters.minReactions ?? 0', '0'),
  instead(PLAN, 'filters.minSubscribers ?? 0', '0'),
  instead(PLAN, '(arrivedSince ?? 0)', '0'),
  instead(PLAN, 'Math.max(since, now - WINDOW_MS)', 'now - WINDOW_MS'),
  instead(PLAN, 'let untilMs = until', 'let untilMs = Infinity'),
  instead(PLAN, 'sinceMs = Math.max(sinceMs, node.at)', 'sinceMs = sinceMs + 0'),
  instead(PLAN, 'untilMs = Math.min(untilMs, node.at)', 'untilMs = untilMs + 0'),
  instead(PLAN, 'minViews = Math.max(minViews, node.value)', 'minViews = minViews + 0'),
  instead(PLAN, 'maxViews = Math.min(maxViews, node.node.value)', 'maxViews = maxViews + 0'),
  instead(
    'src/search/embedded/collector.ts',
    'let left = plan.limits.visits',
    'let left = Infinity',
  ),
  instead(SEARCH, ': plan.limits.total', ': 10_000'),
  instead(
    'src/search/embedded/matches.ts',
    'if (budget.postings >= 0) return false',
    'return false',
  ),
  instead('src/search/expand.ts', 'Math.min(limit, look)', 'Infinity'),
  instead('src/search/expand.ts', 'found.toks.length <= limits.phraseEndings', 'true'),
  drop(
    'src/search/embedded/collapse.ts',
    "if ((!found && looked === most) || looks.postings < 0) budget.reason ??= 'groups'",
  ),
  drop(
    'src/search/embedded/facets.ts',
    "if ((byCount[limits.facetNames]?.[1] ?? -1) >= least) search.budget.reason ??= 'facets'",
  ),
  instead(OPERATION, 'any: (input.channel ?? []).map(idOf)', 'any: []'),
  instead(OPERATION, 'none: (input.exclude_channel ?? []).map(idOf)', 'none: []'),
  ...listed('lang', 'input.lang', 'input.exclude_lang'),
  ...listed('hashtag', 'input.hashtag', 'input.exclude_hashtag'),
  ...listed('mention', 'input.mention?.map(nameKey)', 'input.exclude_mention?.map(nameKey)'),
  ...listed('domain', 'input.domain', 'input.exclude_domain'),
  ...listed('url', 'input.url', 'input.exclude_url'),
  instead(OPERATION, '        input.forwarded_from?.map(nameKey),', '        undefined,'),
  instead(OPERATION, '        input.exclude_forwarded_from?.map(nameKey),', '        undefined,'),
  instead(OPERATION, 'has: input.has ?? []', 'has: []'),
  instead(OPERATION, "forwards: input.forwards ?? 'include'", "forwards: 'include'"),
  instead(OPERATION, "replies: input.replies ?? 'include'", "replies: 'include'"),
  instead(OPERATION, "edited: input.edited ?? 'include'", "edited: 'include'"),
  instead(OPERATION, 'minViews: input.min_views ?? null', 'minViews: null'),
  instead(OPERATION, 'minReactions: input.min_reactions ?? null', 'minReactions: null'),
  instead(OPERATION, 'minSubscribers: input.min_subscribers ?? null', 'minSubscribers: null'),
  instead(OPERATION, 'sort: input.sort ?? defaultSort(root)', 'sort: defaultSort(root)'),
  instead(OPERATION, "match: input.match ?? 'stem'", "match: 'stem'"),
  instead(OPERATION, '    strict: input.strict ?? false,', '    strict: false,'),
  instead(OPERATION, "collapse: input.collapse === 'duplicates'", 'collapse: false'),
  instead(OPERATION, 'resolve(input.since, now, input.tz)', 'resolve(input.since, now, undefined)'),
  instead(OPERATION, 'resolve(input.since, now, input.tz)', 'null'),
  instead(OPERATION, 'resolve(input.until, now, input.tz)', 'null'),
  instead(OPERATION, 'resolve(input.arrived_since, now, input.tz)', 'null'),
  instead(OPERATION, 'facets: input.facets ?? []', 'facets: []'),
  instead(OPERATION, '    limit,\n', '    limit: DEFAULT_LIMIT,\n'),
  instead(OPERATION, 'position === null ? null : position.slice(3)', 'null'),
  ...HAS_VALUES.map((each) =>
    instead(
      FEATURES,
      'HAS_VALUES.filter((value) => {',
      `HAS_VALUES.filter((value) => {\n    if (value === '${each}') return false`,
    ),
  ),
  flat(RANKER, '  frequency: 1.2,', '0'),
  flat(RANKER, '  proximity: 1.6,', '0'),
  flat(RANKER, '  exact: 0.8,', '0'),
  flat(RANKER, '  firstLine: 0.8,', '0'),
  flat(RANKER, '  copy: 0.5,', '0'),
  flat(RANKER, '  prior: 1.4,', '0'),
  flat(RANKER, '  together: 0.4,', '0'),
  flat(RANKER, '  exact: 0.1,', '0'),
  flat(RANKER, '  firstLine: 0.1,', '0'),
  flat(RANKER, '  prior: 0.07,', '0'),
  flat(RANKER, '  copy: 0.03,', '0'),
  flat(RANKER, '  sharedPrefix: 0.4,', '0'),
  flat(RANKER, 'const K1 = 0.8', '0'),
  flat(RANKER, 'const B = 0.5', '0'),
  flat(RANKER, 'const LEAST_WORDS = 8', '1'),
  flat(RANKER, 'const REPEATED_SHARE = 0.25', '1'),
  flat(RANKER, 'const PASSAGE_WORDS = 20', '1000'),
  flat(RANKER, 'const MOST_TIMES = 10', '1000'),
  flat(UNITS, 'const FUNCTION_WEIGHT = 0.35', '1'),
  flat(UNITS, 'const NAME_WEIGHT = 1.15', '1'),
  drop(UNITS, ', df: 0, idf: inSteps(unit.idf * weight)'),
]
