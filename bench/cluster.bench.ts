/**
 * Compares the index in files with one in OpenSearch, on the same posts in one run: how fast each takes them in, what a
 * search costs in processor time over all processes and in wall-clock time, how many requests it sends, and whether both
 * find the same. `npm run bench -- cluster -- [size…] [--posts FILE --queries FILE] [--keep FOLDER]` measures one size
 * after another, on the engines that the tests use. If a size exceeds the posts in FILE, each post is combined from the
 * sentences of two. With `--keep`, the indexes of one size are left for the next run.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SearchQuery, SearchResult, Sort } from '../src/model/query.ts'
import { openReader } from '../src/search/embedded/reader.ts'
import type { IndexLocation } from '../src/search/index-location.ts'
import { deleteIndex, openIndexWriter } from '../src/search/open-search-index.ts'
import { openClient } from '../src/search/opensearch/client.ts'
import { createIndex } from '../src/search/opensearch/opensearch-index.ts'
import { WINDOW_MS, type IndexDocument, type IndexWriter } from '../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { drawQueries } from '../test/cluster/drawn-queries.ts'
import { engines } from '../test/engines.ts'
import { quantile } from './quantile.ts'
import { NOW, fromFiles, queryOf, simulated, type Corpus } from './search-corpus.ts'

const BATCH = 2_000
const DRAWN = 377
const SORTS = ['newest', 'relevance'] as const satisfies readonly Sort[]
const WARM_ROUNDS = 4
/** About this many texts are kept, to draw queries from. */
const TEXTS = 50_000
const clock = {
  now: () => NOW,
  elapsed: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}
const nodes = engines().searchUrl.split(',')
// A long deadline: a busy machine must not cut searches short, as their cost is measured here and not their punctuality.
const cluster = { kind: 'opensearch', nodes, prefix: 'bench', deadlineMs: 60_000 } as const
const pids = await nodePids()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    posts: { type: 'string' },
    queries: { type: 'string' },
    keep: { type: 'string' },
  },
})

/** Milliseconds of processor time so far, of this process with its threads and of all nodes. */
function spent(): { own: number; engine: number } {
  const { user, system } = process.cpuUsage()
  const engine = pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
  return { own: (user + system) / 1000, engine }
}

async function nodePids(): Promise<number[]> {
  const reply = await fetch(`${nodes[0]}/_nodes/process`)
  const told = (await reply.json()) as { nodes: Record<string, { process: { id: number } }> }
  return Object.values(told.nodes).map(({ process: { id } }) => id)
}

interface Cost {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly cpuMs: number
}

async function measured<T>(count: number, work: (i: number) => T | Promise<T>) {
  const before = spent()
  const took: number[] = []
  const results: T[] = []
  for (let i = 0; i < count; i++) {
    const since = performance.now()
    results.push(await work(i))
    took.push(performance.now() - since)
  }
  const after = spent()
  const cpuMs = (after.own - before.own + after.engine - before.engine) / count
  const cost: Cost = { p50Ms: quantile(took, 0.5), p95Ms: quantile(took, 0.95), cpuMs }
  return { results, cost, tookMs: took.reduce((sum, ms) => sum + ms, 0) }
}

interface Filled {
  posts: number
  tookMs: number
  cpuMs: number
}

/** Puts all posts into each index, batch by batch in turn; some texts are kept to draw queries from. */
async function fill(
  corpus: Corpus,
  locations: readonly IndexLocation[],
): Promise<{ readonly filled: readonly Filled[]; readonly texts: readonly string[] }> {
  await using opened = new AsyncDisposableStack()
  const writers: IndexWriter[] = []
  for (const location of locations) writers.push(opened.use(await openIndexWriter(location, clock)))
  const filled = writers.map((): Filled => ({ posts: 0, tookMs: 0, cpuMs: 0 }))
  const texts: string[] = []
  const every = Math.ceil(corpus.count / TEXTS)
  let puts: IndexDocument[] = []
  let seen = 0
  const work = async (what: (writer: IndexWriter) => Promise<void>) => {
    for (const [i, writer] of writers.entries()) {
      const { tookMs, cost } = await measured(1, () => what(writer))
      filled[i]!.tookMs += tookMs
      filled[i]!.cpuMs += cost.cpuMs
    }
  }
  const flush = async () => {
    await work((writer) => writer.apply({ puts }))
    for (const each of filled) each.posts += puts.length
    puts = []
  }
  for await (const { document, text } of corpus.documents()) {
    if (seen++ % every === 0) texts.push(text)
    puts.push(document)
    if (puts.length === BATCH) await flush()
    if (seen % 100_000 === 0) console.log(`${seen} posts are in`)
  }
  if (puts.length > 0) await flush()
  await work(tend)
  return { filled, texts }
}

/** What an indexer does now and then, until all that is due is merged. */
async function tend(writer: IndexWriter): Promise<void> {
  let before = ''
  for (let calm = 0; calm < 3;) {
    await writer.expire(NOW - WINDOW_MS)
    await clock.sleep(1_000)
    const now = await segmentsNow()
    calm = now === before ? calm + 1 : 0
    before = now
  }
}

/** The segments in OpenSearch, and whether some are being merged. */
async function segmentsNow(): Promise<string> {
  const paths = [
    `_cat/segments/${cluster.prefix}-*?h=index,segment`,
    '_cat/thread_pool/force_merge?h=active,queue',
  ]
  const told = paths.map(async (path) => (await fetch(`${nodes[0]}/${path}`)).text())
  const [segments, merges] = (await Promise.all(told)) as [string, string]
  return /[1-9]/.test(merges) ? `${segments}merging at ${performance.now()}` : segments
}

const rateOf = ({ posts, tookMs, cpuMs }: Filled) => ({
  posts,
  postsPerS: Math.round((posts / tookMs) * 1000),
  cpuMsAPost: cpuMs / posts,
})

const idsOf = ({ hits }: SearchResult) =>
  hits.map(({ channelId, number }) => `${channelId}/${number}`)

/** How many of the first ten hits both show, and in how many complete answers ids and totals are equal. */
function compare(
  ours: readonly SearchResult[],
  theirs: readonly SearchResult[],
  isRanked: boolean,
) {
  let shared = 0
  let equal = 0
  let whole = 0
  for (const [i, one] of ours.entries()) {
    const other = theirs[i]!
    const [a, b] = [idsOf(one).slice(0, 10), idsOf(other).slice(0, 10)]
    const most = Math.max(a.length, b.length)
    shared += most === 0 ? 1 : new Set(a).intersection(new Set(b)).size / most
    if (!one.complete || !other.complete) continue
    whole++
    const keyOf = (each: SearchResult) => JSON.stringify([isRanked ? [] : idsOf(each), each.total])
    if (keyOf(one) === keyOf(other)) equal++
  }
  return { firstTenShared: shared / ours.length, equal, ofWhole: whole }
}

async function searches(
  corpus: Corpus,
  folder: string,
  texts: readonly string[],
): Promise<object[]> {
  const client = await openClient(cluster)
  const index = createIndex({
    client,
    prefix: cluster.prefix,
    clock,
    analyzerVersion: ANALYZER_VERSION,
  })
  const reader = openReader(folder)
  const sets = { given: corpus.queries.map(({ q }) => q), drawn: drawQueries(texts, DRAWN) }
  const rows: object[] = []
  const parsed = (queries: readonly string[], sort: Sort) =>
    queries.flatMap((q): SearchQuery[] => {
      try {
        return [queryOf(corpus, q, sort)]
      } catch {
        return []
      }
    })
  // A newly started virtual machine keeps compiling for thousands of searches.
  for (const sort of SORTS) {
    const others = parsed(
      corpus.others.map(({ q }) => q),
      sort,
    )
    for (let round = 0; round < WARM_ROUNDS; round++) {
      for (const query of others) await index.search(query)
    }
    for (const query of others) reader.search(query, NOW)
  }
  for (const [set, queries] of Object.entries(sets)) {
    for (const sort of SORTS) {
      const asked = parsed(queries, sort)
      const files = await measured(asked.length, (i) => reader.search(asked[i]!, NOW))
      const filesAgain = await measured(asked.length, (i) => reader.search(asked[i]!, NOW))
      const servers = await measured(asked.length, (i) => index.search(asked[i]!))
      const sent = client.sent
      const serversAgain = await measured(asked.length, (i) => index.search(asked[i]!))
      const requests = (client.sent - sent) / asked.length
      const same = compare(files.results, servers.results, sort === 'relevance')
      const costs = {
        files: files.cost,
        filesAgain: filesAgain.cost,
        servers: servers.cost,
        serversAgain: serversAgain.cost,
      }
      const row = { set, sort, queries: asked.length, ...same, requests, ...costs }
      console.log(JSON.stringify(row, rounded))
      rows.push(row)
    }
  }
  reader.close()
  await client[Symbol.asyncDispose]()
  return rows
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

async function measure(corpus: Corpus): Promise<object> {
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'telegrep-bench-cluster-'))
  const mark = join(folder, 'filled.json')
  try {
    if (!existsSync(mark)) {
      mkdirSync(folder, { recursive: true })
      const { filled, texts } = await fill(corpus, [{ kind: 'embedded', folder }, cluster])
      writeFileSync(mark, JSON.stringify({ rates: filled.map(rateOf), texts }))
    }
    const { rates, texts } = JSON.parse(readFileSync(mark, 'utf8')) as Marked
    const [inFiles, inServers] = rates
    console.log(corpus.name, JSON.stringify({ inFiles, inServers }, rounded))
    const rows = await searches(corpus, folder, texts)
    return { corpus: corpus.name, nodes: nodes.length, inFiles, inServers, searches: rows }
  } finally {
    if (values.keep === undefined) {
      await deleteIndex(cluster)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The rates of a finished filling, and texts to draw queries from. */
interface Marked {
  readonly rates: readonly ReturnType<typeof rateOf>[]
  readonly texts: readonly string[]
}

async function* corpora(): AsyncIterable<Corpus> {
  const { posts, queries } = values
  const sizes = positionals.map(Number)
  if (posts === undefined || queries === undefined) {
    for (const size of sizes.length > 0 ? sizes : [100_000]) yield simulated(size, 300)
    return
  }
  for (const size of sizes.length > 0 ? sizes : [undefined]) {
    yield await fromFiles(posts, queries, { most: 400, size })
  }
}

const results: object[] = []
for await (const corpus of corpora()) {
  results.push(await measure(corpus))
  writeFileSync(
    join(import.meta.dirname, 'results/cluster.json'),
    JSON.stringify(results, rounded, 2),
  )
}
