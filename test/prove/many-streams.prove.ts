/**
 * Thousands of open streams on one server: every post reaches everybody it concerns, memory stays level meanwhile, and
 * searches take at most half as long again as without the streams.
 *
 *     npm run prove -- many-streams [-- <streams> [<rounds>]]
 *
 * Ten posts arrive a second. Each concerns one in five hundred streams, and one post in a hundred concerns all of them. Streams
 * are opened and closed alternately, and posts arrive in the same way with and without them, so that other load on the machine
 * affects both.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareData } from '../../bench/data-folder.ts'
import { distinctQueries } from '../../bench/distinct-queries.ts'
import { atRate, openConnection } from '../../bench/load-client.ts'
import { quantile } from '../../bench/quantile.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { V8_AT_START } from '../v8-at-start.ts'
import { ask } from './streams/ask.ts'
import type { Memory } from './streams/memory-teller.ts'
import type { Answer } from './streams/readers.ts'

const [streams = 5_000, rounds = 3, posts = 20_000] = process.argv.slice(2).map(Number)
const TOPICS = 500
const SEARCHES_PER_S = 40
const ROUND_S = 15
const CONNECTIONS = 64
const POSTS_PER_S = 10
/** One in this many posts concerns everybody. */
const LOUD = 100
const WITHIN_MS = 180_000
const HERE = import.meta.dirname
const MAIN = join(HERE, '../../src/main.ts')
const UNLIMITED = join(HERE, '../fixtures/tiers/open.json')

const folder = mkdtempSync(join(tmpdir(), 'telegrep-many-streams-'))
const children: ChildProcess[] = []

function hold(isHeld: boolean, what: string): void {
  console.log(`${isHeld ? 'held  ' : 'BROKEN'} ${what}`)
  if (!isHeld) process.exitCode = 1
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

function start(args: readonly string[], port: number): ChildProcess {
  const teller = join(HERE, 'streams/memory-teller.ts')
  const child = spawn(
    process.execPath,
    [V8_AT_START, '--expose-gc', '--import', teller, MAIN, ...args],
    {
      env: {
        ...process.env,
        TELEGREP_DATA: folder,
        TELEGREP_PORT: String(port),
        TELEGREP_SOURCE_URL: 'http://127.0.0.1:9',
        TELEGREP_TIERS: UNLIMITED,
        TELEGREP_LOG: 'error',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  children.push(child)
  return child
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const endAt = Date.now() + WITHIN_MS; Date.now() < endAt; await sleep(100)) {
    if (await isSo()) return
  }
  throw new Error(`never: ${what}`)
}

/** Each follows one topic, and what concerns everybody. */
const PATHS = Array.from(
  { length: streams },
  (_, i) => `/v1/stream?q=topic${i % TOPICS}+OR+everybody`,
)
const followers = (topic: number) => Math.floor((streams - topic - 1) / TOPICS) + 1

const READING = { capture: 'crawl', parserVersion: 1, profile: null, deleted: [] } as const

async function createPublisher(store: Store) {
  const at = Date.now()
  const added = await store.archive.addChannel('many_topics', { at, status: 'imported' })
  if (added.outcome === 'removed') throw new Error('a new store holds no removals')
  const channelId = added.channel.id
  let number = 0

  /** Returns how many streams have to be sent the post. */
  async function publish(): Promise<number> {
    number++
    const isLoud = number % LOUD === 0
    const topic = (number * 7) % TOPICS
    const text = isLoud ? `Everybody hears of ${number}` : `News of topic${topic}, ${number}`
    const now = Date.now()
    const posts = [makePost({ number, publishedAt: now - 1_000, text })]
    await store.archive.record({ ...READING, at: now, channelId, posts })
    return isLoud ? streams : followers(topic)
  }

  /** Ends when all posts can be found: otherwise later ones would be sent to streams opened afterwards. */
  return async function publishFor(seconds: number): Promise<number> {
    let concerned = 0
    const startedAt = performance.now()
    for (let i = 1; i <= seconds * POSTS_PER_S; i++) {
      concerned += await publish()
      await sleep(Math.max(0, startedAt + (i * 1000) / POSTS_PER_S - performance.now()))
    }
    await until('all posts are indexed', async () => (await store.events.bounds()).last >= number)
    return concerned
  }
}

/** Searches at a steady pace while posts arrive. */
async function createMeasure(port: number, publishFor: (seconds: number) => Promise<number>) {
  const paths = distinctQueries(posts, ({ q }) => q).map(
    (q) => `/v1/search?q=${encodeURIComponent(q)}&sort=newest`,
  )
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port, '')),
  )
  let asked = 0
  return async (): Promise<{ readonly ms: readonly number[]; readonly concerned: number }> => {
    const list = paths.slice(asked % paths.length).concat(paths)
    asked += SEARCHES_PER_S * ROUND_S
    const [{ seen, lost }, concerned] = await Promise.all([
      atRate(connections, list, SEARCHES_PER_S, ROUND_S),
      publishFor(ROUND_S),
    ])
    const answered = seen.filter(({ status }) => status === 200)
    if (lost > 0 || answered.length < seen.length)
      hold(
        false,
        `${answered.length} of ${seen.length + lost} searches were answered, ${lost} not sent`,
      )
    return { ms: answered.map(({ ms }) => ms), concerned }
  }
}

const mb = (value: number) => `${value.toFixed(0)} MB`
const p95 = (list: readonly number[]) => quantile(list, 0.95)

async function prove(): Promise<void> {
  await prepareData(folder, posts)
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openStore({ kind: 'sqlite', folder, retention })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = start(['serve', '--no-crawl'], port)
  start(['index'], 0)
  const readers = fork(join(HERE, 'streams/readers.ts'), [String(port)])
  children.push(readers)
  const count = () => ask<Answer>(readers, 'count')
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const areOpen = async (expected: number) => {
    const reply = await fetch(`${url}/v1/meta`)
    const { data } = (await reply.json()) as { data: { streams: { open: number } } }
    return data.streams.open === expected
  }
  await until('the server answers', isReady)
  const measure = await createMeasure(port, await createPublisher(store))
  // The first run is slow.
  await measure()

  const without: number[] = []
  const beside: number[] = []
  const memories: Memory[] = []
  let expected = 0
  for (let round = 1; round <= rounds; round++) {
    // A full collection also drops compiled code, so it is done before both measurements; otherwise the second would be
    // slower.
    await ask<Memory>(server, 'memory')
    const calm = await measure()
    without.push(...calm.ms)
    const openingAt = performance.now()
    await ask<Answer>(readers, { open: PATHS })
    const openMs = performance.now() - openingAt
    await until('all streams are open', () => areOpen(streams))
    const before = await ask<Memory>(server, 'memory')
    const told = await measure()
    beside.push(...told.ms)
    expected += told.concerned
    const endAt = performance.now()
    await until('everything is told', async () => (await count()).told >= expected)
    const lateMs = performance.now() - endAt
    const after = await ask<Memory>(server, 'memory')
    memories.push(before, after)
    console.log(
      `round ${round}: ${streams} streams opened in ${(openMs / 1000).toFixed(1)} s; ${told.concerned} events, the last within ${Math.round(lateMs)} ms of the round's end; ` +
        `heap ${mb(before.heapMb)} then ${mb(after.heapMb)}, rss ${mb(before.rssMb)} then ${mb(after.rssMb)}; ` +
        `p95 ${p95(calm.ms).toFixed(1)} ms without, ${p95(told.ms).toFixed(1)} ms beside`,
    )
    const { ended } = await count()
    hold(ended === 0, `${ended} streams were ended`)
    await ask<Answer>(readers, 'close')
    await until('all streams are closed', () => areOpen(0))
  }
  const { told } = await count()
  hold(told === expected, `${told} events were told of ${expected}`)
  const ratio = p95(beside) / p95(without)
  hold(
    ratio <= 1.5,
    `p95 of searches: ${p95(without).toFixed(1)} ms without, ${p95(beside).toFixed(1)} ms beside ${streams} streams, ${ratio.toFixed(2)} ×, at most 1.5`,
  )
  const [first, last] = [memories[0]!.heapMb, memories.at(-1)!.heapMb]
  hold(
    last <= first * 1.1 + 5,
    `heap without garbage: ${mb(first)} when they were first open, ${mb(last)} in the end`,
  )
}

try {
  await prove()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
