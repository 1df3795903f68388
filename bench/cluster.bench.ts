/**
 * The index in files beside one in OpenSearch, of the same posts, in one run: how fast each takes them in, what a search
 * costs in processor time over all processes and by the clock, how often it asks, and whether both find the same.
 * `npm run bench -- cluster -- [posts]`, or `-- <posts.ndjson.gz> <queries.tsv>`; engines as the tests have them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchQuery, SearchResult, Sort } from '../src/model/query.ts'
import { createRandom } from '../src/search/contract/sample.ts'
import { openReader } from '../src/search/embedded/reader.ts'
import type { IndexLocation } from '../src/search/index-location.ts'
import { deleteIndex, openIndexWriter } from '../src/search/open-search-index.ts'
import { openClient } from '../src/search/opensearch/client.ts'
import { createIndex } from '../src/search/opensearch/opensearch-index.ts'
import type { IndexDocument } from '../src/search/search-index.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { engines } from '../test/engines.ts'
import { quantile } from './quantile.ts'
import { NOW, fromFiles, queryOf, simulated, type Corpus } from './search-corpus.ts'

const [first = '100000', second] = process.argv.slice(2)
const corpus =
  second === undefined ? simulated(Number(first), 300) : await fromFiles(first, second, 400)
const BATCH = 2_000
const DRAWN = 377
const clock = {
  now: () => NOW,
  elapsed: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}
const nodes = engines().searchUrl.split(',')
const folder = mkdtempSync(join(tmpdir(), 'telegrep-bench-cluster-'))
// A busy machine must not cut searches short: what they cost is asked here, not whether they are in time.
const cluster = { kind: 'opensearch', nodes, prefix: 'bench', deadlineMs: 60_000 } as const
const pids = await nodePids()

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

/** Takes all posts in; texts are kept to draw queries from. */
async function fill(location: IndexLocation, texts: string[]): Promise<object> {
  await using writer = await openIndexWriter(location, clock)
  const batches: IndexDocument[][] = [[]]
  let postsPerS = 0
  let cpuMsAPost = 0
  let done = 0
  const flush = async (puts: IndexDocument[]) => {
    const { tookMs, cost } = await measured(1, () => writer.apply({ puts }))
    postsPerS += tookMs
    cpuMsAPost += cost.cpuMs
    done += puts.length
  }
  for await (const { document, text } of corpus.documents()) {
    texts.push(text)
    batches[0]!.push(document)
    if (batches[0]!.length === BATCH) await flush(batches.splice(0, 1, [])[0]!)
  }
  if (batches[0]!.length > 0) await flush(batches[0]!)
  return {
    posts: done,
    postsPerS: Math.round((done / postsPerS) * 1000),
    cpuMsAPost: cpuMsAPost / done,
  }
}

/** One to three words that stand together in a post, as words, phrases, alternatives, with one left out, or by their beginning. */
function drawQueries(texts: readonly string[]): string[] {
  const random = createRandom(9)
  return Array.from({ length: DRAWN }, (_, i) => {
    const text = texts[Math.floor(random() * texts.length)]!
    const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word))
    const at = Math.floor(random() * Math.max(1, words.length - 3))
    const some = words.slice(at, at + 1 + Math.floor(random() * 3))
    if (some.length === 0) return 'news'
    if (i % 5 === 0) return `"${some.join(' ')}"`
    if (i % 10 === 1) return some.join(' OR ')
    if (i % 10 === 2) return `${some[0]} -${some.at(-1)!}x`
    if (i % 10 === 3) return `${some[0]!.slice(0, 4)}*`
    return some.join(' ')
  })
}

const idsOf = ({ hits }: SearchResult) =>
  hits.map(({ channelId, number }) => `${channelId}/${number}`)

/** How much of the first ten both show, and in how many whole answers ids and totals are equal. */
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

async function searches(corpus: Corpus, texts: readonly string[]): Promise<object[]> {
  const client = await openClient(cluster)
  const index = createIndex({
    client,
    prefix: cluster.prefix,
    clock,
    analyzerVersion: ANALYZER_VERSION,
  })
  const reader = openReader(folder)
  const sets = { given: corpus.queries.map(({ q }) => q), drawn: drawQueries(texts) }
  const rows: object[] = []
  for (const [set, queries] of Object.entries(sets)) {
    for (const sort of ['newest', 'relevance'] as const satisfies readonly Sort[]) {
      const asked = queries.flatMap((q): SearchQuery[] => {
        try {
          return [queryOf(corpus, q, sort)]
        } catch {
          return []
        }
      })
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

try {
  const texts: string[] = []
  const inFiles = await fill({ kind: 'embedded', folder }, texts)
  console.log(corpus.name, 'into files', JSON.stringify(inFiles, rounded))
  const inServers = await fill(cluster, [])
  console.log(corpus.name, 'into OpenSearch', JSON.stringify(inServers, rounded))
  const rows = await searches(corpus, texts)
  const result = { corpus: corpus.name, nodes: nodes.length, inFiles, inServers, searches: rows }
  writeFileSync(
    join(import.meta.dirname, 'results/cluster.json'),
    JSON.stringify(result, rounded, 2),
  )
} finally {
  await deleteIndex(cluster)
  rmSync(folder, { recursive: true, force: true })
}
