/**
 * Is the net of the search contracts tight? Drops one filter, bound or limit at a time in a copy of the program and runs the
 * suites on it: each must turn red.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
]

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
  for (const each of ['src', 'test', 'package.json']) {
    cpSync(join(root, each), join(copy, each), { recursive: true })
  }
  writeFileSync(suite, SUITE)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const wanted =
    process.argv[2] === undefined ? MUTATIONS : MUTATIONS.slice(Number(process.argv[2]))
  if (!runSuites()) throw new Error('the suites fail without any mutation')
  const survived = wanted.filter((mutation) => {
    const isNoticed = !mutate(mutation, runSuites)
    console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${mutation.find.trim()}`)
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

/** Whether they pass. */
function runSuites(): boolean {
  const names = '--test-name-pattern=lets through|asks for|where'
  return spawnSync(process.execPath, [names, suite], { cwd: copy }).status === 0
}
