/**
 * Compares ours with what a user might use instead, on the same posts and query by query in turn, so that a busy moment of
 * the machine affects all alike; then measures `serve` over HTTP. PostgreSQL and OpenSearch take part if TEST_DATABASE_URL
 * and TEST_SEARCH_URL name one (`npm run engines`); engines that do not take part are named.
 *
 *     npm run bench -- versus [-- --size 60000 --asked 400 --posts FILE --queries FILE --keep FOLDER --only race,serve --mix mixed|questions]
 *
 * If the size exceeds the posts in FILE, each post is combined from the sentences of two. What is kept is used by the next run.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { analyze } from '../src/text/analyze.ts'
import { prepareData } from './data-folder.ts'
import { quantile } from './quantile.ts'
import { drawVersus, type Figure } from './versus-chart.ts'
import { corpusOfFiles, simulatedCorpus, type VersusCorpus } from './versus-corpus.ts'
import * as engines from './versus-engines.ts'
import type { Engine, Order, Rival } from './versus-engines.ts'
import type { VersusQuery } from './versus-queries.ts'
import { measureServe, type Served } from './versus-serve.ts'

/** Queries of the same kind that are run first and not measured: a newly started virtual machine takes ten times as long. */
const WARMING = 300
const BATCH = 2_000
/** MiniSearch keeps everything in memory. */
const MINI_UP_TO = 100_000
const CLIENTS = 2
const SECONDS = 8

const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    posts: { type: 'string' },
    queries: { type: 'string' },
    asked: { type: 'string', default: '400' },
    keep: { type: 'string' },
    port: { type: 'string', default: '18099' },
    only: { type: 'string', default: 'race,serve' },
    mix: { type: 'string', default: 'mixed' },
  },
})
const asked = Number(values.asked)
const mix = values.mix === 'questions' ? 'questions' : 'mixed'
const size = values.size === undefined ? undefined : Number(values.size)
const corpus =
  values.posts !== undefined && values.queries !== undefined
    ? await corpusOfFiles(values.posts, values.queries, { size, asked: asked * 2, mix })
    : simulatedCorpus(size ?? 60_000, asked * 2)
const queries = corpus.queries.filter((_, i) => i % 2 === 0)
const others = corpus.queries.filter((_, i) => i % 2 === 1)
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'telegrep-versus-'))
/** The name under which engines keep their posts. */
const name = `${values.posts === undefined ? 'simulated' : 'real'}_${corpus.count}`
const absent: string[] = []
{
  await using stack = new AsyncDisposableStack()
  if (values.keep === undefined) stack.defer(() => rmSync(folder, { recursive: true }))
  await prepareData(folder, corpus)
  const rivals = await openRivals(corpus)
  for (const rival of rivals) stack.use(rival)
  await fill(corpus, rivals)
  const ours = stack.use(await engines.openOurs(join(folder, 'index')))
  const { TEST_SEARCH_URL: search } = process.env
  const taking = [ours, ...rivals, ...(search ? [engines.openRelaxing(search, name)] : [])]
  const isAsked = (part: string) => values.only.split(',').includes(part)
  const figures = isAsked('race') ? await race(taking) : []
  const perS = isAsked('race') ? await throughput(taking) : {}
  await ours[Symbol.asyncDispose]()
  const served = isAsked('serve') ? await measureServe(serving()) : null
  const bytes = statSync(join(folder, 'index', 'generation-2.sqlite')).size / corpus.count
  report({ figures, perS, served, bytesPerPost: Math.round(bytes) })
}

function serving() {
  const { TEST_SEARCH_URL: url } = process.env
  const opensearch = url ? { url, name } : null
  return { folder, port: Number(values.port), queries: others, opensearch }
}

/** A file that exists once an engine has all posts. */
function markOf(engine: string): string {
  return join(folder, `filled-${engine.split(',')[0]}`)
}

async function openRivals(of: VersusCorpus): Promise<Rival[]> {
  const keeping = (engine: string) => ({
    isFilled: existsSync(markOf(engine)),
    isKept: values.keep !== undefined,
  })
  const taking = [engines.openFts5(join(folder, 'fts5.sqlite'), keeping('SQLite FTS5'))]
  const { TEST_DATABASE_URL: database, TEST_SEARCH_URL: search } = process.env
  if (database) taking.push(await engines.openPostgres(database, name, keeping('PostgreSQL')))
  else absent.push('PostgreSQL (no TEST_DATABASE_URL)')
  if (search) taking.push(await engines.openOpenSearch(search, name, keeping('OpenSearch')))
  else absent.push('OpenSearch (no TEST_SEARCH_URL)')
  if (of.count <= MINI_UP_TO) taking.push(engines.openMini())
  else absent.push('MiniSearch (too many posts)')
  return taking
}

async function fill(of: VersusCorpus, rivals: readonly Rival[]): Promise<void> {
  const taking = rivals.filter(({ isFilled }) => !isFilled)
  if (taking.length === 0) return
  const batch: engines.Words[] = []
  const flush = async () => {
    for (const engine of taking) await engine.add(batch)
    batch.length = 0
  }
  for (const { channel, post } of of.posts()) {
    const toks = analyze(post.text, null).tokens.map((token) => token.tok)
    const body = toks.join(' ').replaceAll('\0', '').toWellFormed()
    batch.push({
      body,
      at: post.publishedAt,
      channel: channel.username,
      lang: channel.language,
    })
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  for (const engine of taking) {
    await engine.finish()
    writeFileSync(markOf(engine.name), '')
  }
}

/** Newest first for one half of the queries and by relevance for the other, each for the first time and again. */
async function race(taking: readonly Engine[]): Promise<Figure[]> {
  for (const q of others.slice(0, WARMING)) {
    for (const engine of taking) {
      for (const order of ['newest', 'relevance'] as const) await engine.search(q, order)
    }
  }
  const figures: Figure[] = []
  for (const order of ['newest', 'relevance'] as const) {
    const half = queries.filter((_, i) => i % 2 === (order === 'newest' ? 0 : 1))
    for (const pass of ['first', 'again'] as const) {
      const taken = taking.map((): number[] => [])
      for (const [i, q] of half.entries()) {
        for (let turn = 0; turn < taking.length; turn++) {
          const at = (i + turn) % taking.length
          taken[at]!.push(await time(taking[at]!, q, order))
        }
      }
      for (const [at, { name }] of taking.entries()) {
        const [p50, p95] = [quantile(taken[at]!, 0.5), quantile(taken[at]!, 0.95)]
        figures.push({ engine: name, order, pass, p50, p95 })
      }
    }
  }
  return figures
}

async function time(engine: Engine, q: VersusQuery, order: Order): Promise<number> {
  const startedAt = performance.now()
  await engine.search(q, order)
  return performance.now() - startedAt
}

/** Searches a second by relevance with several clients, one engine after another. */
async function throughput(taking: readonly Engine[]): Promise<Record<string, number>> {
  const perS: Record<string, number> = {}
  for (const engine of taking) {
    const startedAt = performance.now()
    const until = startedAt + SECONDS * 1000
    let next = 0
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until)
          await engine.search(others[next++ % others.length]!, 'relevance')
      }),
    )
    perS[engine.name] = Math.round((next * 1000) / (performance.now() - startedAt))
  }
  return perS
}

function report(told: {
  readonly figures: readonly Figure[]
  readonly perS: Readonly<Record<string, number>>
  readonly served: Served | null
  readonly bytesPerPost: number
}): void {
  const rows = [...Map.groupBy(told.figures, (each) => each.engine)].map(([engine, of]) => {
    const taken = of.map((f) => [
      `${f.order}, ${f.pass}`,
      `${f.p50.toFixed(1)} / ${f.p95.toFixed(1)}`,
    ])
    return [engine, { ...Object.fromEntries(taken), [`${CLIENTS} clients, /s`]: told.perS[engine] }]
  })
  console.log(`${corpus.name}, milliseconds, p50 / p95; ours has ${told.bytesPerPost} bytes a post`)
  console.table(Object.fromEntries(rows))
  if (told.served) {
    const { rates, readyMs, rssMb } = told.served
    console.log('over HTTP, requests a second')
    console.table(rates)
    console.log(`ready after ${readyMs} ms, RSS after 2 000 searches ${rssMb} MB`)
  }
  for (const each of absent) console.log(`not run: ${each}`)
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const json = JSON.stringify({ corpus: corpus.name, ...told, absent }, null, 2)
  writeFileSync(join(results, 'versus.json'), json)
  writeFileSync(join(results, 'versus.svg'), drawVersus(corpus.name, told.figures))
}
