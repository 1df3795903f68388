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
import { startSimulator, type Simulator } from '../src/simulator/server.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { openStore } from '../src/store/open-store.ts'
import { locateStore } from '../src/store/store-location.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { whyNoEngines } from './engines.ts'
import { openPair, type OpenedPair } from './pairs.ts'
import { until } from './until.ts'

const DAY = 86_400_000
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PRELOADED = new URL('set-clock.mjs', import.meta.url).href
const CONSUMER = indexConsumer(ANALYZER_VERSION)
const TIERS = fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url))

for (const isRemote of [false, true])
  describe(
    `a service on ${isRemote ? 'PostgreSQL and OpenSearch' : 'files'} whose clock is 400 days ahead for a while`,
    { skip: (isRemote && whyNoEngines()) || false },
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'telegrep-clock-'))
      const clockFile = join(folder, 'clock')
      const data = join(folder, 'data')
      const setAhead = (ms: number) => writeFileSync(clockFile, String(ms))
      let simulator: Simulator
      let pair: OpenedPair | undefined
      let names: string[] = []
      let service: Awaited<ReturnType<typeof start>>
      let found = 0
      let earlier: Awaited<ReturnType<typeof look>>

      async function start() {
        const child = spawn(process.execPath, ['--import', PRELOADED, MAIN, 'serve', '--json'], {
          env: {
            ...process.env,
            ...pair?.env,
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
          /** What the service says of its clock; null when that is right. */
          problem: async () => (await client.get_status({})).data.clock_problem,
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
        const place = locateStore({ folder: data, url: pair?.env['TELEGREP_DATABASE_URL'] })
        await using store = await openStore({ ...place, retention })
        const { schedules } = await store.frontier.sample(100)
        return {
          posts: (await store.archive.totals()).posts,
          events: (await store.events.after(0, 10_000)).length,
          visits: schedules.map(({ lastVisitAt }) => lastVisitAt ?? 0).toSorted((a, b) => a - b),
          farthest: Math.max(...schedules.map(({ nextVisitAt }) => nextVisitAt)),
          pending: (await store.changes.pending(CONSUMER, 1)).count,
        }
      }

      before(async () => {
        setAhead(0)
        if (isRemote) pair = await openPair({ store: 'postgres', index: 'opensearch' })
        const world = { seed: 'clock', channels: 6, days: 20, steady: true, startAt: Date.now() }
        simulator = await startSimulator({ world, tellsTime: true })
        names = simulator.world.truth.readableNames(simulator.now())
        writeFileSync(join(folder, 'list.txt'), names.join('\n'))
        service = await start()
        await until(
          async () => (await look()).visits.filter((at) => at > 0).length === names.length,
        )
        await until(async () => (await look()).pending === 0)
        earlier = await look()
        found = await service.found()
        assert.ok(found > earlier.posts / 2)
      })
      after(async () => {
        await service.stop()
        await simulator.close()
        await pair?.[Symbol.asyncDispose]()
        rmSync(folder, { recursive: true, force: true })
      })

      /** It says that its clock is wrong, and writes nothing until that is right again. */
      async function isPaused(): Promise<void> {
        await until(async () => /400 days ahead/.test((await service.problem()) ?? ''))
        const { visits } = await look()
        await sleep(5_000)
        const { posts, events, visits: later } = await look()
        assert.deepEqual(later, visits)
        assert.ok(
          posts >= earlier.posts && events >= earlier.events,
          `${posts} posts, ${events} events`,
        )
      }

      async function goesOn(): Promise<void> {
        await until(async () => (await service.problem()) === null)
        assert.ok((await service.found()) >= found)
        const { visits, farthest, posts, events } = await look()
        assert.ok(farthest < Date.now() + 10 * DAY)
        assert.ok(
          posts >= earlier.posts && events >= earlier.events,
          `${posts} posts, ${events} events`,
        )
        await until(async () => (await look()).visits.at(-1)! > visits.at(-1)!)
      }

      test('while it runs: it says so, writes and erases nothing meanwhile, and goes on once the clock is right', async () => {
        setAhead(400 * DAY)
        await isPaused()
        setAhead(0)
        await goesOn()
      })

      test('as it starts: the same', async () => {
        await service.stop()
        setAhead(400 * DAY)
        service = await start()
        await isPaused()
        setAhead(0)
        await goesOn()
      })
    },
  )
