/**
 * Measures searching: how fast it is, how it grows and what it costs, compared with SQLite's bm25(), MiniSearch and
 * PostgreSQL on the same posts. `--sizes 100000,1000000,3000000`, `--posts FILE --queries FILE` for real ones,
 * `--keep FOLDER` to reuse an index, `--postgres [BIN FOLDER]` where PostgreSQL is installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../src/model/clock.ts'
import type { Sort } from '../src/model/query.ts'
import { openIndexWriter, openSearchIndex } from '../src/search/open-search-index.ts'
import { WINDOW_MS, type IndexDocument, type SearchIndex } from '../src/search/search-index.ts'
import { costliestQuery } from './search-hostile.ts'
import { fromFiles, NOW, queryOf, simulated, type Corpus } from './search-corpus.ts'
import { printSize } from './search-report.ts'
import type { RivalResult, SizeResult } from './search-result.ts'
import { latency, latencyByKind, type Latency, type Taken } from './search-latency.ts'
import { findPostgres } from './search-postgres-server.ts'
import { createPostgres } from './search-postgres.ts'
import { createBm25, createMini, type Rival } from './search-rivals.ts'

const clock = { now: () => NOW, elapsed: () => NOW, sleep: systemClock.sleep }
const QUERIES = 400
const SMALL = 100_000
const BATCH = 2_000
/** Beyond this size, filling the rivals takes too long. */
const RIVALS_UP_TO = 1_000_000

interface SearchBench {
  readonly sizes: readonly SizeResult[]
  /** p95 of the largest simulated size divided by that of the smallest. */
  readonly growth: Readonly<Record<'newest' | 'newestAgain' | 'relevance', number>> | null
}

interface SearchOptions {
  readonly sizes: readonly number[]
  readonly posts?: string
  readonly queries?: string
  readonly keep?: string
  /** The folder of its programs; an empty string stands for the folder of Debian's packages. */
  readonly postgres?: string
}

export async function run(options: SearchOptions): Promise<SearchBench> {
  const bin = options.postgres === '' ? findPostgres() : options.postgres
  const sizes: SizeResult[] = []
  for (const size of options.sizes) {
    const keep = options.keep && `${options.keep}-${size}`
    sizes.push(await measure(simulated(size, QUERIES), keep, bin))
  }
  const first = sizes[0]
  const last = sizes.at(-1)
  const growth =
    first && last && first !== last
      ? {
          newest: last.newest.p95 / first.newest.p95,
          newestAgain: last.newestAgain.p95 / first.newestAgain.p95,
          relevance: last.relevance.p95 / first.relevance.p95,
        }
      : null
  if (options.posts !== undefined && options.queries !== undefined) {
    const corpus = await fromFiles(options.posts, options.queries, { most: QUERIES })
    sizes.push(await measure(corpus, undefined, bin))
  }
  return { sizes, growth }
}

async function measure(
  corpus: Corpus,
  keep: string | undefined,
  bin: string | undefined,
): Promise<SizeResult> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'telegrep-search-'))
  const isThere = existsSync(join(folder, 'control.sqlite'))
  const beside = mkdtempSync(join(tmpdir(), 'telegrep-search-'))
  await using stack = new AsyncDisposableStack()
  const rivals: Rival[] = []
  if (corpus.count <= RIVALS_UP_TO) {
    rivals.push(createBm25(keep ? `${keep}-bm25.sqlite` : join(beside, 'posts.sqlite')))
    if (bin !== undefined) rivals.push(await createPostgres(bin, keep && `${keep}-postgres`))
  }
  if (corpus.count <= SMALL) rivals.push(createMini())
  for (const rival of rivals) stack.use(rival)
  const indexPostsPerS = await fill(
    corpus,
    isThere ? null : folder,
    rivals.filter((rival) => !rival.isFilled),
  )
  const ready = measureReady(folder)
  const { bytes, posts } = ready
  let result: SizeResult
  {
    const { first: newest, again: newestAgain } = await askTwice(folder, corpus, 'newest')
    const { first: relevance, again: relevanceAgain } = await askTwice(folder, corpus, 'relevance')
    await using index = await openWarm(folder, corpus)
    const busy = await whileWriting(folder, () => ask(index, corpus, corpus.queries, 'relevance'))
    result = {
      corpus: corpus.name,
      posts,
      indexPostsPerS,
      bytesPerPost: Math.round(bytes / posts),
      readyMs: ready.ms,
      rssMb: ready.rssMb,
      newest: latency(newest),
      newestAgain: latency(newestAgain),
      relevance: latency(relevance),
      relevanceAgain: latency(relevanceAgain),
      relevanceByKind: latencyByKind(relevance),
      busyRelevance: latency(busy.result),
      busyPostsPerS: busy.postsPerS,
      costliest: await costliestQuery(folder, corpus),
      rivals: await timeRivals(rivals, corpus, latency(relevanceAgain)),
    }
  }
  rmSync(beside, { recursive: true })
  if (keep === undefined) rmSync(folder, { recursive: true })
  return result
}

/** Resolves to the number of documents a second that become durable in the index; null if it was there already. */
async function fill(
  corpus: Corpus,
  folder: string | null,
  rivals: readonly Rival[],
): Promise<number | null> {
  if (folder === null && rivals.length === 0) return null
  const writer = folder === null ? null : await openIndexWriter({ kind: 'embedded', folder }, clock)
  let spentMs = 0
  const batch: IndexDocument[] = []
  const flush = async () => {
    const startedAt = performance.now()
    await writer?.apply({ puts: batch })
    spentMs += performance.now() - startedAt
    batch.length = 0
  }
  for await (const { document, text } of corpus.documents()) {
    for (const rival of rivals) {
      const isBusy = rival.add(document, text)
      if (isBusy) await isBusy
    }
    batch.push(document)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  for (const rival of rivals) await rival.finish()
  // Catches up on the merging that an indexer does minute by minute.
  for (let i = 0; i < 400; i++) await writer?.expire(NOW - WINDOW_MS)
  await writer?.[Symbol.asyncDispose]()
  return writer ? Math.round(corpus.count / (spentMs / 1000)) : null
}

/** An index warmed up with queries that are not measured: a repeated query would be answered faster. */
async function openWarm(folder: string, corpus: Corpus): Promise<SearchIndex> {
  const index = await openSearchIndex({ kind: 'embedded', folder, workers: 1 }, clock)
  for (const sort of ['relevance', 'newest'] as const) await ask(index, corpus, corpus.others, sort)
  return index
}

async function askTwice(folder: string, corpus: Corpus, sort: Sort) {
  await using index = await openWarm(folder, corpus)
  const first = await ask(index, corpus, corpus.queries, sort)
  return { first, again: await ask(index, corpus, corpus.queries, sort) }
}

async function ask(
  index: SearchIndex,
  corpus: Corpus,
  queries: Corpus['queries'],
  sort: Sort,
): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const { q, kind } of queries) {
    const query = queryOf(corpus, q, sort)
    const startedAt = performance.now()
    await index.search(query)
    taken.push({ kind, ms: performance.now() - startedAt })
  }
  return taken
}

async function whileWriting<T>(folder: string, work: () => Promise<T>) {
  const worker = new Worker(new URL('./search-writer-thread.ts', import.meta.url), {
    workerData: { folder, perSecond: 500, count: 1_000_000 },
  })
  const ended = new Promise<{ written: number; seconds: number }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await systemClock.sleep(1_000)
  const result = await work()
  worker.postMessage('stop')
  const { written, seconds } = await ended
  return { result, postsPerS: Math.round(written / seconds) }
}

function measureReady(folder: string) {
  const script = join(import.meta.dirname, 'search-ready.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as { ms: number; rssMb: number; bytes: number; posts: number }
}

async function timeRivals(
  rivals: readonly Rival[],
  corpus: Corpus,
  own: Latency,
): Promise<Record<string, RivalResult>> {
  const results: Record<string, RivalResult> = {}
  for (const rival of rivals) {
    for (const [name, taken] of Object.entries(await rival.time(corpus))) {
      const all = latency(taken)
      const times = { p50: all.p50 / own.p50, p95: all.p95 / own.p95 }
      results[name] = { ...all, byKind: latencyByKind(taken), times }
    }
  }
  return results
}

if (import.meta.main) {
  const { values } = parseArgs({
    // The option's value may be left out, which parseArgs does not support.
    args: process.argv
      .slice(2)
      .map((arg, i, all) =>
        arg === '--postgres' && (all[i + 1] ?? '-').startsWith('-') ? '--postgres=' : arg,
      ),
    options: {
      sizes: { type: 'string', default: '100000,1000000' },
      posts: { type: 'string' },
      queries: { type: 'string' },
      keep: { type: 'string' },
      postgres: { type: 'string' },
    },
  })
  const { sizes: asked, ...rest } = values
  const result = await run({ sizes: asked.split(',').filter(Boolean).map(Number), ...rest })
  for (const size of result.sizes) printSize(size)
  if (result.growth) console.log('growth of p95:', result.growth)
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  writeFileSync(
    join(import.meta.dirname, 'results', 'search.json'),
    JSON.stringify(result, null, 2),
  )
}
