import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addChannels } from '../../src/crawl/add-channels.ts'
import { systemClock } from '../../src/model/clock.ts'
import { indexConsumer } from '../../src/store/changes.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'
import { makeBin } from '../cli/telegrep.ts'
import { differences } from '../crawl-harness.ts'
import { listenBefore, type CutProxy } from '../cut-proxy.ts'
import { startAsker, type Asker } from './asker.ts'
import { openNewsroom, type Newsroom } from './newsroom.ts'
import type { OwnEngines } from './own-engines.ts'
import { createProcess, type Env, type ProgramProcess } from './program-process.ts'

/** The whole program in its own processes on its own engines, reading a platform on which something happens all the time. */
export interface FaultStage extends AsyncDisposable {
  readonly env: Env
  readonly engines: OwnEngines
  readonly newsroom: Newsroom
  readonly store: Store
  readonly schema: string
  readonly prefix: string
  readonly apis: readonly ProgramProcess[]
  readonly crawlers: readonly ProgramProcess[]
  readonly indexers: readonly ProgramProcess[]
  readonly asker: Asker
  /** Between all processes and the database. */
  readonly database: CutProxy
  /** Between all processes and each node. */
  readonly nodes: readonly CutProxy[]
  /** Waits until archive, index and replies equal what the platform shows; throws what still differs. */
  settled(): Promise<number>
  /** Processes that ended without being told to. */
  faults(): readonly string[]
}

export const RATE = 20
const WORK_MS = 2_000
const SETTLE_MS = 900_000

/** Quotas of the caller with a key; anonymous callers are not limited here. */
export const TIERS = { anonymous: {}, local: {}, small: { daily: 400 } }

export async function openFaultStage(engines: OwnEngines): Promise<FaultStage> {
  await using owned = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'telegrep-cluster-'))
  owned.defer(() => rmSync(home, { recursive: true, force: true }))
  const id = process.pid.toString(36)
  const schema = `prove_${id}`
  const prefix = `prove-${id}`
  const newsroom = owned.use(await openNewsroom(11, 6))
  const database = owned.use(await proxyOf(engines.databaseUrl))
  const nodes = await Promise.all(engines.nodes.map(proxyOf))
  for (const node of nodes) owned.use(node)
  const tiers = join(home, 'tiers.json')
  writeFileSync(tiers, JSON.stringify(TIERS))
  const url = new URL(engines.databaseUrl)
  url.port = String(database.port)
  url.searchParams.set('schema', schema)
  const env: Env = {
    PATH: `${makeBin(home)}:${process.env['PATH']}`,
    TELEGREP_DATABASE_URL: url.href,
    TELEGREP_SEARCH_URL: nodes.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
    TELEGREP_SEARCH_PREFIX: prefix,
    TELEGREP_SECRET: 'a secret of all of them',
    TELEGREP_TIERS: tiers,
    TELEGREP_PORT: '0',
    TELEGREP_SOURCE_URL: newsroom.simulator.url,
    TELEGREP_CRAWL_RATE: String(RATE),
    TELEGREP_LOG: 'warn',
  }
  const retention = { deleted: 'redact', versions: 'keep' } as const
  // Not through the proxy: the comparison must not be cut off.
  const store = owned.use(
    await openPostgresStore({ url: engines.databaseUrl, schema, retention, connections: 3 }),
  )
  await addChannels(store, [...newsroom.names, newsroom.leaving], systemClock)

  const make = (name: string, args: readonly string[]) =>
    createProcess({ name, args, env, log: join(tmpdir(), `telegrep-prove-${name}.log`) })
  const twice = (name: string, args: readonly string[]) =>
    [1, 2].map((place) => make(`${name}-${place}`, args))
  const apis = twice('api', ['serve', '--no-crawl'])
  const crawlers = twice('crawl', ['crawl'])
  const indexers = twice('index', ['index'])
  const all = [...indexers, ...crawlers, ...apis]
  owned.defer(async () => {
    await Promise.all(all.map((each) => each.stop()))
  })
  await Promise.all(all.map((each) => each.start()))

  let isQuiet = false
  const working = setInterval(() => isQuiet || newsroom.work(), WORK_MS)
  owned.defer(() => clearInterval(working))
  const visiting = setInterval(() => {
    // While the database is away, nothing can be made due.
    makeAllDue(store, newsroom).catch(() => {})
  }, WORK_MS)
  owned.defer(() => clearInterval(visiting))
  const isThere = (post: string) => {
    const [name, number] = post.split('/')
    return newsroom.simulator.world.truth.post(name!, Number(number), Date.now()) !== undefined
  }
  const asker = startAsker({ apis, names: newsroom.names, isThere })
  owned.defer(() => asker.stop())

  const stage = {
    env,
    engines,
    newsroom,
    store,
    schema,
    prefix,
    apis,
    crawlers,
    indexers,
    asker,
    database,
    nodes,
  }
  const dispose = owned.move()
  return {
    ...stage,
    async settled() {
      const since = performance.now()
      isQuiet = true
      const seen: Seen = { archivedAt: undefined }
      for (let why = 'nothing was looked at'; ;) {
        try {
          why = (await differ(stage, seen)) ?? ''
        } catch (error) {
          why = String(error)
        }
        if (why === '') break
        if (performance.now() - since > SETTLE_MS) throw new Error(`not settled: ${why}`)
        await sleep(1_000)
      }
      isQuiet = false
      return Math.round(performance.now() - since)
    },
    faults: () => all.flatMap(({ fault }) => fault ?? []),
    [Symbol.asyncDispose]: () => dispose.disposeAsync(),
  }
}

function proxyOf(origin: string): Promise<CutProxy> {
  const { hostname, port } = new URL(origin)
  return listenBefore(hostname, Number(port))
}

async function makeAllDue(store: Store, newsroom: Newsroom): Promise<void> {
  for (const name of newsroom.names) {
    const channel = await store.archive.channel(name)
    if (channel) await store.frontier.makeDue(channel.id, Date.now())
  }
}

/** When the archive was first found to be right. */
interface Seen {
  archivedAt: number | undefined
}

type Compared = Pick<FaultStage, 'newsroom' | 'store' | 'apis'>

/** How archive or replies differ from what the platform shows. */
async function differ(
  { newsroom, store, apis }: Compared,
  seen: Seen,
): Promise<string | undefined> {
  const { world } = newsroom.simulator
  for (const name of newsroom.names) {
    const channel = await store.archive.channel(name)
    if (!channel) return `${name} is not archived`
    const before = { firstVisitAt: Date.now(), deletedBefore: Date.now() - 60_000 }
    const [first] = await differences(store, world, channel, before)
    if (first) return `the archive: ${first.channel}/${first.number} is ${first.what}`
    const shown = newsroom.posts(name).at(-1)?.number ?? 0
    if (shown > ((await store.archive.numbersBetween(channel.id, 1, 1_000_000)).at(-1) ?? 0))
      return `the archive: ${name}/${shown} is to come`
  }
  seen.archivedAt ??= Date.now()
  // Views grow all the time, so there are always new changes; only those from before count.
  const { count, since } = await store.changes.pending(indexConsumer(ANALYZER_VERSION), 10)
  if (since !== null && since <= seen.archivedAt) return `${count} changes wait for the index`
  for (const name of newsroom.names) {
    const channel = (await store.archive.channel(name))!
    const numbers = await store.archive.numbersBetween(channel.id, 1, 1_000_000)
    const kept = await store.archive.posts(
      numbers.map((number) => ({ channelId: channel.id, number })),
    )
    const wanted = kept.flatMap((post) =>
      post && post.deletedAt === null ? [`${name}/${post.number}`] : [],
    )
    for (const api of apis) {
      const found = await walk(api.address!, name)
      const missing = new Set(wanted).difference(new Set(found))
      const extra = new Set(found).difference(new Set(wanted))
      if (new Set(found).size < found.length)
        return `${api.name}: a walk over ${name} shows a post twice`
      if (missing.size > 0)
        return `${api.name}: the index lacks ${[...missing].slice(0, 5).join(' ')}`
      if (extra.size > 0) return `${api.name}: the index has ${[...extra].slice(0, 5).join(' ')}`
    }
  }
  return undefined
}

async function walk(address: string, name: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `channel=${name}&sort=newest&limit=100&detail=ids${cursor && `&cursor=${cursor}`}`
    const reply = await fetch(`${address}/v1/search?${query}`, {
      signal: AbortSignal.timeout(30_000),
    })
    const body = (await reply.json()) as {
      data: { id: string }[]
      meta: { next_cursor: string | null; coverage?: { complete: boolean; reason: string | null } }
    }
    if (!reply.ok) throw new Error(`a walk answers ${reply.status} ${JSON.stringify(body)}`)
    if (body.meta.coverage?.complete === false)
      throw new Error(`a walk is partial: ${body.meta.coverage.reason}`)
    found.push(...body.data.map(({ id }) => id))
    cursor = body.meta.next_cursor
  }
  return found
}
