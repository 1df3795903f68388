/**
 * Ours beside what a user would take instead, on the same posts, query by query in turn, so that a busy moment of the machine
 * meets all alike. PostgreSQL and OpenSearch take part where TEST_DATABASE_URL and TEST_SEARCH_URL name one
 * (`npm run engines`); who does not is told.
 *
 *     npm run bench -- versus [-- --asked 400 --size 60000 | --posts FILE --queries FILE]
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { IndexDocument } from '../src/search/search-index.ts'
import { quantile } from './quantile.ts'
import { fromFiles, simulated, type Corpus } from './search-corpus.ts'
import { drawVersus, type Figure } from './versus-chart.ts'
import * as engines from './versus-engines.ts'
import type { Engine, Order } from './versus-engines.ts'

/** Asked before, of the same kind, and not measured. */
const WARMING = 30
const BATCH = 2_000
/** It keeps everything in memory. */
const MINI_UP_TO = 100_000

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '60000' },
    posts: { type: 'string' },
    queries: { type: 'string' },
    asked: { type: 'string', default: '400' },
  },
})
const asked = Number(values.asked)
const corpus =
  values.posts !== undefined && values.queries !== undefined
    ? await fromFiles(values.posts, values.queries, asked)
    : simulated(Number(values.size), asked)
const folder = mkdtempSync(join(tmpdir(), 'telegrep-versus-'))
const absent: string[] = []
{
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true }))
  const taking = await open(corpus)
  for (const engine of taking) stack.use(engine)
  await fill(corpus, taking)
  const figures = await race(corpus, taking)
  const bytes = statSync(join(folder, 'generation-1.sqlite')).size / corpus.count
  report(figures, Math.round(bytes))
}

async function open(of: Corpus): Promise<Engine[]> {
  const taking = [await engines.openOurs(folder, of), engines.openFts5(join(folder, 'fts5.sqlite'))]
  const { TEST_DATABASE_URL: database, TEST_SEARCH_URL: search } = process.env
  if (database) taking.push(await engines.openPostgres(database))
  else absent.push('PostgreSQL (no TEST_DATABASE_URL)')
  if (search) taking.push(await engines.openOpenSearch(search))
  else absent.push('OpenSearch (no TEST_SEARCH_URL)')
  if (of.count <= MINI_UP_TO) taking.push(engines.openMini())
  else absent.push('MiniSearch (too many posts)')
  return taking
}

async function fill(of: Corpus, taking: readonly Engine[]): Promise<void> {
  const batch: IndexDocument[] = []
  const flush = async () => {
    for (const engine of taking) await engine.add(batch)
    batch.length = 0
  }
  for await (const { document } of of.documents()) {
    batch.push(document)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  for (const engine of taking) await engine.finish()
}

/** Newest with one half of the queries and relevance with the other, each for the first time and again. */
async function race(of: Corpus, taking: readonly Engine[]): Promise<Figure[]> {
  for (const { q } of of.others.slice(0, WARMING)) {
    for (const engine of taking) {
      for (const order of ['newest', 'relevance'] as const) await engine.search(q, order)
    }
  }
  const figures: Figure[] = []
  for (const order of ['newest', 'relevance'] as const) {
    const half = of.queries.filter((_, i) => i % 2 === (order === 'newest' ? 0 : 1))
    for (const pass of ['first', 'again'] as const) {
      const taken = taking.map((): number[] => [])
      for (const [i, { q }] of half.entries()) {
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

async function time(engine: Engine, q: string, order: Order): Promise<number> {
  const startedAt = performance.now()
  await engine.search(q, order)
  return performance.now() - startedAt
}

function report(figures: readonly Figure[], bytesPerPost: number): void {
  const rows = [...Map.groupBy(figures, (each) => each.engine)].map(([engine, of]) => {
    const told = of.map((f) => [
      `${f.order}, ${f.pass}`,
      `${f.p50.toFixed(1)} / ${f.p95.toFixed(1)}`,
    ])
    return [engine, Object.fromEntries(told)]
  })
  console.log(`${corpus.name}, milliseconds, p50 / p95; ours has ${bytesPerPost} bytes a post`)
  console.table(Object.fromEntries(rows))
  for (const each of absent) console.log(`not run: ${each}`)
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const told = { corpus: corpus.name, bytesPerPost, figures, absent }
  writeFileSync(join(results, 'versus.json'), JSON.stringify(told, null, 2))
  writeFileSync(join(results, 'versus.svg'), drawVersus(corpus.name, figures))
}
