/** What `serve` answers over HTTP, compared with OpenSearch returning posts with highlights. */
import { openConnection, saturate, type Asked } from './load-client.ts'
import { ask, createKey, startService } from './service-process.ts'
import { highlighting } from './versus-engines.ts'
import type { VersusQuery } from './versus-queries.ts'

const CONNECTIONS = 4
const SECONDS = 6
/** The first ones are not counted: either side compiles what is hot, `serve` anew at every start. */
const WARM_ROUNDS = 3
const ROUNDS = 5
const SEARCHES = 2_000
const OPERATORS = [
  ['and', 'all words'],
  ['or', 'any word'],
] as const

export interface Served {
  readonly readyMs: number
  readonly rssMb: number | null
  /** Requests a second: the median of the rounds. In each round the cases take turns. */
  readonly rates: Readonly<Record<string, number>>
}

export async function measureServe(options: {
  readonly folder: string
  readonly port: number
  readonly queries: readonly VersusQuery[]
  readonly opensearch: { readonly url: string; readonly name: string } | null
}): Promise<Served> {
  const { folder, port, opensearch } = options
  const key = createKey(folder)
  const start = () => startService({ folder, port, args: ['--no-crawl'] })
  // A new checkout compiles everything at its first start; operators see how soon it is ready from then on.
  await (await start()).stop()
  const service = await start()
  try {
    const paths = (rest: string) =>
      options.queries.map(({ q }) => `/v1/search?q=${encodeURIComponent(q)}&${rest}`)
    const cases: { name: string; port: number; asked: readonly Asked[] }[] = [
      { name: 'relevance, snippets', port, asked: paths('sort=relevance') },
      { name: 'newest, snippets', port, asked: paths('sort=newest') },
      { name: 'newest, ids', port, asked: paths('sort=newest&detail=ids') },
    ]
    // Asked for all words, OpenSearch finds nothing where ours goes on to posts with some of them, and an empty page is
    // quickly made. So it is also asked for any word.
    for (const [operator, words] of opensearch ? OPERATORS : []) {
      const asked = options.queries.map((query) => highlighting(opensearch!.name, query, operator))
      const itsPort = Number(new URL(opensearch!.url).port)
      cases.push({ name: `OpenSearch, relevance, ${words}, highlights`, port: itsPort, asked })
    }
    const rates = new Map(cases.map((each) => [each.name, [] as number[]]))
    const bytes = new Map<string, number>()
    for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
      for (const each of cases) {
        const headers = each.port === port ? `X-API-Key: ${key}\r\n` : ''
        const connections = await Promise.all(
          Array.from({ length: CONNECTIONS }, () => openConnection(each.port, headers)),
        )
        const { perS, statuses, meanBytes } = await saturate(connections, each.asked, SECONDS)
        bytes.set(each.name, Math.round(meanBytes))
        for (const connection of connections) connection.close()
        if (Object.keys(statuses).some((status) => status !== '200'))
          console.log(`${each.name}: statuses ${JSON.stringify(statuses)}`)
        if (round >= WARM_ROUNDS) rates.get(each.name)!.push(Math.round(perS))
      }
    }
    console.log('bytes of a reply', Object.fromEntries(bytes))
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1]!
    const told = Object.fromEntries([...rates].map(([name, list]) => [name, median(list)]))
    return { readyMs: service.readyMs, rssMb: await rssAfter(options), rates: told }
  } finally {
    await service.stop()
  }
}

/** Of a service that has not been asked anything before. */
async function rssAfter({ folder, port, queries }: Parameters<typeof measureServe>[0]) {
  const key = createKey(folder)
  const service = await startService({ folder, port: port + 1, args: ['--no-crawl'] })
  try {
    for (let i = 0; i < SEARCHES; i++) {
      const q = encodeURIComponent(queries[i % queries.length]!.q)
      const sort = i % 2 === 0 ? 'relevance' : 'newest'
      await ask(port + 1, `/v1/search?q=${q}&sort=${sort}`, { 'x-api-key': key })
    }
    return service.rssMb()
  } finally {
    await service.stop()
  }
}
