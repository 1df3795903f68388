import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/client.ts'
import { systemClock } from '../src/model/clock.ts'
import { startSimulator, type Simulator } from '../src/simulator/server.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { openStore } from '../src/store/open-store.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { until } from './until.ts'

const DAY = 86_400_000
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PRELOADED = new URL('set-clock.mjs', import.meta.url).href
const CONSUMER = indexConsumer(ANALYZER_VERSION)
const TIERS = fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url))

describe('a service whose clock jumps 400 days ahead for ten seconds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-clock-'))
  const clockFile = join(folder, 'clock')
  const data = join(folder, 'data')
  const setAhead = (ms: number) => writeFileSync(clockFile, String(ms))
  let simulator: Simulator
  let names: string[] = []
  let service: Awaited<ReturnType<typeof start>>
  let posts = 0
  let found = 0

  async function start() {
    const child = spawn(process.execPath, ['--import', PRELOADED, MAIN, 'serve', '--json'], {
      env: {
        ...process.env,
        TEST_CLOCK_FILE: clockFile,
        TELEGREP_DATA: data,
        TELEGREP_PORT: '0',
        TELEGREP_SOURCE_URL: simulator.url,
        TELEGREP_CHANNELS: join(folder, 'list.txt'),
        TELEGREP_CRAWL_RATE: '500',
        TELEGREP_ARCHIVE_DAYS: '60',
        TELEGREP_TIERS: TIERS,
        TELEGREP_LOG: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { address } = JSON.parse(String(line)) as { address: string }
    const client = createClient({ url: address })
    return {
      async found(): Promise<number> {
        const { meta } = await client.search_posts({ channel: names, limit: 1, detail: 'ids' })
        return meta.total?.value ?? 0
      },
      async stop() {
        child.kill('SIGTERM')
        await ended
      },
    }
  }

  /** What is archived and what is scheduled, read with a correct clock. */
  async function look() {
    const retention = { days: 60, deleted: 'redact', versions: 'keep' } as const
    const options = { kind: 'sqlite', folder: data, retention, clock: systemClock } as const
    await using store = await openStore(options)
    const { schedules } = await store.frontier.sample(100)
    return {
      posts: (await store.archive.totals()).posts,
      read: schedules.filter(({ lastVisitAt }) => lastVisitAt !== null).length,
      farthest: Math.max(...schedules.map(({ nextVisitAt }) => nextVisitAt)),
      pending: (await store.changes.pending(CONSUMER, 1)).count,
    }
  }

  before(async () => {
    setAhead(0)
    const world = { seed: 'clock', channels: 6, days: 20, steady: true, startAt: Date.now() }
    simulator = await startSimulator({ world })
    names = simulator.world.truth.readableNames(simulator.now())
    writeFileSync(join(folder, 'list.txt'), names.join('\n'))
    service = await start()
    await until(async () => (await look()).read === names.length)
    posts = (await look()).posts
    await until(async () => (await look()).pending === 0)
    found = await service.found()
    assert.ok(found > posts / 2)
  })
  after(async () => {
    await service.stop()
    await simulator.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function isAsBefore(): Promise<void> {
    await until(async () => (await service.found()) >= found)
    await until(async () => (await look()).farthest < Date.now() + 10 * DAY)
    assert.ok((await look()).posts >= posts)
  }

  test('keeps its posts, its schedule and its search results', async () => {
    setAhead(400 * DAY)
    await sleep(10_000)
    setAhead(0)
    await isAsBefore()
  })
})
