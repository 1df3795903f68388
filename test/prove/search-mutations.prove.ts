/**
 * Is the net of the search contracts tight? Drops one filter, bound or limit at a time in a copy of the program and runs the
 * suites on it: each must turn red. So must a parameter that the operation reads and does not hand on.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HAS_VALUES } from '../../src/model/query.ts'

interface Mutation {
  readonly file: string
  readonly find: string
  readonly replace: string
}

const drop = (file: string, find: string): Mutation => ({ file, find, replace: '' })
const instead = (file: string, find: string, replace: string): Mutation => ({ file, find, replace })

const FILTERS = 'src/search/plan-filters.ts'
const PLAN = 'src/search/plan.ts'
const SEARCH = 'src/search/embedded/search.ts'
const OPERATION = 'src/operations/search-query.ts'
const FEATURES = 'src/text/post-features.ts'
/** A filter as the operation hands it on; lists go with their twins. */
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
const MUTATIONS: readonly Mutation[] = [
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
  instead(PLAN, 'query.filters.minViews ?? 0', '0'),
  instead(PLAN, 'query.filters.minReactions ?? 0', '0'),
  instead(PLAN, 'query.filters.minSubscribers ?? 0', '0'),
  instead(PLAN, '(query.arrivedSince ?? 0)', '0'),
  instead(PLAN, 'Math.max(query.since, now - WINDOW_MS)', 'now - WINDOW_MS'),
  instead(PLAN, 'let untilMs = query.until', 'let untilMs = Infinity'),
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
    "if (!found && looks === most) budget.reason ??= 'groups'",
  ),
  drop(
    'src/search/embedded/facets.ts',
    "if ((byCount[limits.facetNames]?.[1] ?? -1) >= least) budget.reason ??= 'facets'",
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
      'HAS_VALUES.filter((value) => has',
      `HAS_VALUES.filter((value) => value !== '${each}' && has`,
    ),
  ),
]

/** Of the others the contracts of search are asked. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  [OPERATION]: ['test/api/parameters.test.ts'],
  [FEATURES]: ['src/text/post-features.test.ts'],
}
const SUITE = `
import { describeBounded } from './bounded.ts'
import { describeExact } from './exact.ts'
import { openEmbedded } from './open-embedded.ts'
describeExact(openEmbedded)
describeBounded(openEmbedded)
`

const root = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'telegrep-mutations-'))
const suite = join(copy, 'src/search/contract/mutated.test.ts')
try {
  for (const each of ['src', 'test', 'skills', 'docs', 'package.json']) {
    cpSync(join(root, each), join(copy, each), { recursive: true })
  }
  writeFileSync(suite, SUITE)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const wanted =
    process.argv[2] === undefined ? MUTATIONS : MUTATIONS.slice(Number(process.argv[2]))
  if (![PLAN, OPERATION, FEATURES].every(runSuites))
    throw new Error('the suites fail without any mutation')
  const survived = wanted.filter((mutation) => {
    const isNoticed = !mutate(mutation, () => runSuites(mutation.file))
    const { file, find, replace } = mutation
    const what = `${file}: ${find.trim()}${replace === '' ? '' : ` → ${replace.trim()}`}`
    console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${what}`)
    return !isNoticed
  })
  console.log(`${wanted.length - survived.length} of ${wanted.length} mutations turn a test red`)
  process.exitCode = survived.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true })
}

function mutate<T>({ file, find, replace }: Mutation, work: () => T): T {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(find)) throw new Error(`${file} has changed: ${find}`)
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  try {
    return work()
  } finally {
    writeFileSync(path, text)
  }
}

/** Whether those that hold this file to its promise pass. */
function runSuites(file: string): boolean {
  const args = SUITES[file] ?? ['--test-name-pattern=lets through|asks for|where', suite]
  return spawnSync(process.execPath, args, { cwd: copy }).status === 0
}
