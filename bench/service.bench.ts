/**
 * Measures the whole service: ingest, start, memory and live reads, each in a process of its own. `--data FOLDER` keeps
 * the archive of `--posts N` (a million by default) for the next run; `--only ingest,start,…`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareData } from './data-folder.ts'
import { measureIngest, type IngestFigures } from './service-ingest.ts'
import { measureLive, type LiveFigures } from './service-live.ts'
import { measureMemory, type MemoryFigures } from './service-memory.ts'
import { startService } from './service-process.ts'

interface StartFigures {
  readonly command: string
  readonly posts: number
  /** The best of several starts, in ms from the start of the process. */
  readonly readyMs: number
  readonly firstSearchMs: number
  readonly cpuMs: number | null
  readonly rssMb: number | null
}

interface ServiceBench {
  readonly load: readonly number[]
  readonly ingest?: IngestFigures
  readonly start?: readonly StartFigures[]
  readonly memory?: MemoryFigures
  readonly live?: LiveFigures
}

const PARTS = ['ingest', 'start', 'memory', 'live'] as const
type Part = (typeof PARTS)[number]
const STARTS = 5
const PORT = 18_977

async function measureStart(folder: string, posts: number): Promise<StartFigures[]> {
  const found: StartFigures[] = []
  for (const args of [['--no-crawl'], []]) {
    const starts: Omit<StartFigures, 'command' | 'posts'>[] = []
    for (let i = 0; i < STARTS; i++) {
      const service = await startService({ folder, port: PORT, args })
      const { readyMs, firstSearchMs, startCpuMs } = service
      starts.push({ readyMs, firstSearchMs, cpuMs: startCpuMs, rssMb: service.rssMb() })
      await service.stop()
    }
    const best = starts.toSorted((a, b) => a.readyMs - b.readyMs)[0]!
    found.push({ command: ['serve', ...args].join(' '), posts, ...best })
  }
  return found
}

export async function run(options: {
  readonly parts: readonly Part[]
  readonly posts: number
  readonly folder: string
  readonly ingest: number
}): Promise<ServiceBench> {
  const { parts, posts, folder } = options
  const needsData = parts.includes('start') || parts.includes('memory')
  if (needsData) await prepareData(folder, posts)
  const load = loadavg()
  return {
    load,
    ...(parts.includes('ingest') && { ingest: await measureIngest(options.ingest) }),
    ...(parts.includes('start') && { start: await measureStart(folder, posts) }),
    ...(parts.includes('live') && { live: await measureLive(PORT) }),
    ...(parts.includes('memory') && {
      memory: await measureMemory({ folder, posts, port: PORT, searches: 2_000, ingest: 50_000 }),
    }),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      posts: { type: 'string', default: '1000000' },
      ingest: { type: 'string', default: '20000' },
      data: { type: 'string' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  })
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'telegrep-service-'))
  const parts = PARTS.filter((part) => values.only.split(',').includes(part))
  try {
    const options = { parts, posts: Number(values.posts), ingest: Number(values.ingest), folder }
    const result = await run(options)
    console.log(`load ${result.load.map((each) => each.toFixed(1)).join(' ')}`)
    if (result.ingest) console.table(result.ingest)
    if (result.start) console.table(result.start)
    if (result.live)
      console.table({ ...result.live, statuses: JSON.stringify(result.live.statuses) })
    if (result.memory) console.table(result.memory)
    const results = join(import.meta.dirname, 'results')
    mkdirSync(results, { recursive: true })
    writeFileSync(join(results, 'service.json'), JSON.stringify(result, null, 2))
  } finally {
    if (values.data === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
