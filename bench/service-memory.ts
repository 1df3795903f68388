import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/model/clock.ts'
import { generateQueries } from '../test/simulated/bulk-queries.ts'
import { bulkOptions } from './data-folder.ts'
import { startPlatform } from './service-platform.ts'
import { ask, createKey, startService, type Service } from './service-process.ts'

export interface MemoryFigures {
  readonly posts: number
  /** RSS in MB, in order of time. */
  readonly atStart: number | null
  readonly afterSearches: number | null
  readonly afterIngest: number | null
  readonly afterMoreSearches: number | null
  readonly atRest: number | null
  readonly searches: number
  readonly searchCpuMs: number | null
  readonly ingested: number
  readonly ingestedPerS: number
  /** Parser, archive and index together; the platform runs in another process. */
  readonly ingestedPerCpuS: number | null
}

const CALLERS = 4
const REST_MS = 20_000
/** The first pages of new channels take a while on a busy machine. */
const PATIENCE_MS = 120_000
const CHANNELS = 600
const SORTS = ['relevance', 'relevance', 'newest', 'views', 'oldest']

/** The whole service including its crawler: searched, then fed by a platform, then searched again. */
export async function measureMemory(options: {
  readonly folder: string
  readonly posts: number
  readonly port: number
  readonly searches: number
  readonly ingest: number
}): Promise<MemoryFigures> {
  const { folder, posts, port, searches } = options
  await using platform = await startPlatform('simulated', CHANNELS)
  const headers = { authorization: `Bearer ${createKey(folder)}` }
  const quiet = await startService({ folder, port, sourceUrl: platform.url })
  let figures: Pick<MemoryFigures, 'atStart' | 'afterSearches' | 'searchCpuMs'>
  const paths = [...pathsOf(posts, searches * 2)]
  try {
    await systemClock.sleep(2_000)
    const atStart = quiet.rssMb()
    const cpu = quiet.cpuMs()
    await search(quiet, paths.slice(0, searches), headers)
    const searchCpuMs = cpu === null ? null : (quiet.cpuMs()! - cpu) / searches
    figures = { atStart, afterSearches: quiet.rssMb(), searchCpuMs }
  } finally {
    await quiet.stop()
  }

  const file = join(folder, 'bench-channels.txt')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, platform.names.join('\n'))
  const args = ['--crawl-rate', '1000', '--crawl-concurrency', '8', '--channels', file]
  const service = await startService({ folder, port, args, sourceUrl: platform.url })
  try {
    await search(service, paths.slice(0, searches), headers)
    const before = await indexed(port)
    const startedAt = performance.now()
    const cpu = service.cpuMs()
    let ingested = 0
    let idleSince = startedAt
    while (ingested < options.ingest && performance.now() - idleSince < PATIENCE_MS) {
      await systemClock.sleep(500)
      const now = (await indexed(port)) - before
      if (now > ingested) idleSince = performance.now()
      ingested = now
    }
    const seconds = (idleSince - startedAt) / 1000
    const cpuS = cpu === null ? null : (service.cpuMs()! - cpu) / 1000
    const afterIngest = service.rssMb()
    await search(service, paths.slice(searches), headers)
    const afterMoreSearches = service.rssMb()
    await systemClock.sleep(REST_MS)
    return {
      posts,
      ...figures,
      afterIngest,
      afterMoreSearches,
      atRest: service.rssMb(),
      searches,
      ingested,
      ingestedPerS: Math.round(ingested / seconds),
      ingestedPerCpuS: cpuS === null ? null : Math.round(ingested / cpuS),
    }
  } finally {
    await service.stop()
  }
}

function* pathsOf(posts: number, count: number): Generator<string> {
  let n = 0
  for (const { q } of generateQueries({ ...bulkOptions(posts), queries: count })) {
    const extra =
      n % 7 === 0
        ? '&facets=day,channel,lang,domain,hashtag,has'
        : n % 5 === 0
          ? '&collapse=duplicates'
          : n % 11 === 0
            ? '&detail=full&limit=100'
            : ''
    yield `/v1/search?q=${encodeURIComponent(q)}&sort=${SORTS[n % SORTS.length]}${extra}`
    n++
  }
}

/** Every query is answered in the end: a refused one is retried, as callers are told to do. */
async function search(
  { port }: Service,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < paths.length) {
        const path = paths[next++]!
        for (let status = 503; status === 503;) {
          status = await ask(port, path, headers)
          if (status === 503) await systemClock.sleep(50)
          else if (status !== 200) throw new Error(`${path} answered ${status}`)
        }
      }
    }),
  )
}

async function indexed(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/meta`)
  if (!response.ok) return 0
  const { data } = (await response.json()) as { data: { index: { searchable_posts: number } } }
  return data.index.searchable_posts
}
