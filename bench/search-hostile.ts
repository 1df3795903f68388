/** What the costliest queries cost: processor time of the search itself, in this thread. */
import { FACETS, SORTS } from '../src/model/query.ts'
import { openReader } from '../src/search/embedded/reader.ts'
import { hostileQueries } from '../src/search/contract/hostile-queries.ts'
import { NOW, queryOf, type Corpus } from './search-corpus.ts'

export interface Costliest {
  readonly query: string
  readonly cpuMs: number
}

const SAMPLE = 3_000
const WORDS = 64
const ATTEMPTS = 3

/** The best of a few attempts each, since the budget is about work and not about other load on the machine. */
export async function costliestQuery(folder: string, corpus: Corpus): Promise<Costliest> {
  const reader = openReader(folder)
  let worst: Costliest = { query: '', cpuMs: 0 }
  for (const [name, q] of Object.entries(hostileQueries(await commonWords(corpus), 'pa'))) {
    for (const sort of SORTS) {
      for (const more of [{}, { facets: FACETS }, { collapse: true }]) {
        const cpuMs = leastCpuMs(() => reader.search({ ...queryOf(corpus, q, sort), ...more }, NOW))
        if (cpuMs > worst.cpuMs) {
          worst = { query: [name, sort, ...Object.keys(more)].join(', '), cpuMs }
        }
      }
    }
  }
  reader.close()
  return worst
}

function leastCpuMs(work: () => unknown): number {
  let least = Infinity
  for (let i = 0; i < ATTEMPTS; i++) {
    const before = process.threadCpuUsage()
    try {
      work()
    } catch {
      // A refusal costs something too.
    }
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

async function commonWords(corpus: Corpus): Promise<string[]> {
  const counts = new Map<string, number>()
  let left = SAMPLE
  for await (const { document } of corpus.documents()) {
    for (const tok of new Set(document.toks)) counts.set(tok, (counts.get(tok) ?? 0) + 1)
    if (--left === 0) break
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, WORDS)
    .map(([tok]) => tok)
}
