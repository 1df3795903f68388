import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { followSearch } from '../../src/client/follow.ts'
import { createClient } from '../../src/client/client.ts'
import { NEWS_MS } from '../../src/store/events.ts'
import { openStore } from '../../src/store/open-store.ts'
import { locateStore } from '../../src/store/store-location.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { createHistory } from '../follow/history.ts'

/**
 * Readers of streams, while a server and two indexers are killed at any moment and readers disconnect: each is sent a post
 * once, in order, and in the end exactly what a search finds. Arguments: number of steps, seed. On PostgreSQL and OpenSearch
 * if tests have them: `env $(npm run --silent engines -- env --test) npm run prove -- stream`.
 */

const [steps = 60, seed = Date.now() % 1e6] = process.argv.slice(2).map(Number)
const QUERIES = 12
const WITHIN_MS = 120_000
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const UNLIMITED = fileURLToPath(new URL('../fixtures/tiers/open.json', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'telegrep-stream-'))
const onEngines = whyNoEngines() === undefined
const pair = onEngines ? await openPair({ store: 'postgres', index: 'opensearch' }) : undefined
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = {
  ...process.env,
  TELEGREP_DATA: folder,
  TELEGREP_PORT: String(port),
  TELEGREP_SOURCE_URL: 'http://127.0.0.1:9',
  TELEGREP_TIERS: UNLIMITED,
  TELEGREP_LOG: 'error',
  ...pair?.env,
}
const broken: string[] = []
const history = createHistory(seed)
const kills = { server: 0, indexer: 0, reader: 0 }

/** What one reader was sent. */
interface Reader {
  readonly q: string
  /** Numbers of the posts that, by the stream, the search finds. */
  readonly found: Set<number>
  lastId: string | undefined
  lastSeq: number
  events: number
  breakOff: () => void
}

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Reads for ever; after a disconnection it reconnects with the last id. */
async function read(reader: Reader, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const stop = new AbortController()
    reader.breakOff = () => stop.abort()
    const both = AbortSignal.any([signal, stop.signal])
    const onPlace = (id: string) => (reader.lastId = id)
    const options = { url, signal: both, sinceId: reader.lastId, onPlace }
    for await (const event of followSearch({ q: reader.q, detail: 'ids' }, options)) {
      take(reader, event.event, event.data as { id?: string; matches?: boolean }, event.id)
    }
  }
}

function take(
  reader: Reader,
  event: string,
  data: { id?: string; matches?: boolean; reason?: string },
  id: string | undefined,
): void {
  if (event === 'end') return
  if (event === 'lag') {
    if (data.reason !== 'index') broken.push(`${reader.q}: ${JSON.stringify(data)}`)
    return
  }
  reader.events++
  const seq = Number(id?.split('-')[1])
  if (!(seq > reader.lastSeq)) broken.push(`${reader.q}: ${seq} after ${reader.lastSeq}`)
  reader.lastSeq = seq
  const number = Number(data.id?.split('/')[1])
  const isFound = event === 'post' || (event === 'edit' && data.matches === true)
  if (event === 'post' && reader.found.has(number)) broken.push(`${reader.q}: ${number} twice`)
  if (isFound) reader.found.add(number)
  else reader.found.delete(number)
}

const retention = { deleted: 'redact', versions: 'keep' } as const
const place = locateStore({ folder, url: pair?.env['TELEGREP_DATABASE_URL'] })
const store = await openStore({ ...place, retention })
const added = await store.archive.addChannel('rivers', { at: Date.now(), status: 'imported' })
if (added.outcome === 'removed') throw new Error('a new store holds no removals')
const channelId = added.channel.id
const fresh = new Set<number>()
const seen = new Set<number>()
const alive = new Set<number>()

async function record(): Promise<void> {
  const now = Date.now()
  const { posts, deleted } = history.step(now)
  for (const { number, publishedAt } of posts) {
    if (!seen.has(number) && publishedAt >= now - NEWS_MS) fresh.add(number)
    seen.add(number)
    alive.add(number)
  }
  for (const number of deleted) alive.delete(number)
  const reading = { at: now, capture: 'crawl', parserVersion: 1, profile: null } as const
  await store.archive.record({ ...reading, channelId, posts, deleted })
}

const client = createClient({ url })
const isUp = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const endAt = Date.now() + WITHIN_MS; Date.now() < endAt; await sleep(100)) {
    if (await isSo()) return true
  }
  broken.push(`never: ${what}`)
  return false
}

async function searched(q: string): Promise<Set<number> | undefined> {
  try {
    const input = { q, sort: 'newest', strict: true, detail: 'ids', limit: 100 } as const
    const numbers = new Set<number>()
    for await (const { data } of client.pages('search_posts', input)) {
      for (const hit of data as readonly { id: string }[]) numbers.add(Number(hit.id.split('/')[1]))
    }
    return numbers.intersection(fresh)
  } catch {
    return undefined
  }
}

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number> | undefined) =>
  b !== undefined && a.symmetricDifference(b).size === 0

let server = start('serve', '--no-crawl')
let indexer = start('index')
await until('the server answers', isUp)
const done = new AbortController()
const readers = Array.from({ length: QUERIES }, (): Reader => {
  const none = { lastId: undefined, lastSeq: 0, events: 0, breakOff() {} }
  return { q: history.query(), found: new Set(), ...none }
})
const reading = readers.map((reader) => read(reader, done.signal))
await until(
  'all readers are connected',
  async () => (await client.get_meta()).data.streams.open === QUERIES,
)

const { random } = history
for (let step = 0; step < steps && broken.length === 0; step++) {
  await record()
  await sleep(random() * 800)
  const chance = random()
  if (chance < 0.12) {
    kills.server++
    await kill(server)
    await record()
    server = start('serve', '--no-crawl')
  } else if (chance < 0.24) {
    kills.indexer++
    await kill(indexer)
    indexer = start('index')
  } else if (chance < 0.5) {
    kills.reader++
    readers[Math.floor(random() * readers.length)]!.breakOff()
  }
}
await until('the server answers again', isUp)
await until('everything is indexed', async () => {
  const { lag_s: lagS, searchable_posts: found } = (await client.get_meta()).data.index
  return lagS === 0 && found === alive.size
})
for (const reader of readers) {
  const isEqual = await until(`${reader.q}: told and found are the same`, async () =>
    isSame(reader.found, await searched(reader.q)),
  )
  if (!isEqual) {
    const found = await searched(reader.q)
    broken.push(`told ${[...reader.found]}; found ${found && [...found]}`)
  }
}
done.abort()
await Promise.all(reading)
await Promise.all([kill(server), kill(indexer)])
await store[Symbol.asyncDispose]()
await pair?.[Symbol.asyncDispose]()
rmSync(folder, { recursive: true, force: true })
const events = readers.reduce((sum, reader) => sum + reader.events, 0)
if (events === 0) broken.push('nothing was told')
console.log(
  `streams ${onEngines ? 'on engines' : 'in files'}, seed ${seed}: ${steps} steps, ${events} events told to ${QUERIES} readers, ${kills.server} servers and ${kills.indexer} indexers killed, ${kills.reader} readers broken off`,
)
for (const each of broken) console.error(`FAILED ${each}`)
process.exitCode = broken.length === 0 ? 0 : 1

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening = createServer()
    listening.once('error', reject)
    listening.listen(0, '127.0.0.1', () => {
      const { port: free } = listening.address() as AddressInfo
      listening.close(() => resolve(free))
    })
  })
}
