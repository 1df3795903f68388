/** What a crawler does with channels in which nothing happens. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { addChannels } from '../src/crawl/add-channels.ts'
import { startBackfill } from '../src/crawl/backfill.ts'
import type { VisitFinished } from '../src/model/visit-finished.ts'
import { createCrawler } from '../src/crawl/crawler.ts'
import { createOwner } from '../src/store/owner.ts'
import { createPoliteness } from '../src/crawl/politeness.ts'
import { makeMedia } from '../src/model/post.ts'
import { createManualClock } from '../src/simulator/clocks.ts'
import { openStore } from '../src/store/open-store.ts'
import { keptSince, type Retention } from '../src/store/store.ts'
import { createFakePlatform } from './fake-platform.ts'
import { UNHEARD_CRAWL } from './unheard-events.ts'

const START = Date.UTC(2026, 8, 1)
const DAY = 86_400_000

/** One channel, a crawler that may visit it early, and the store's rows on disk. */
async function open(retention: Partial<Retention> = {}) {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'telegrep-quiet-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const clock = createManualClock(START)
  const kept = { deleted: 'redact', versions: 'keep', ...retention } as const
  const store = stack.use(await openStore({ kind: 'sqlite', folder, retention: kept, clock }))
  const disk = new DatabaseSync(join(folder, 'store.db'), { readOnly: true })
  stack.defer(() => disk.close())
  const platform = createFakePlatform(clock)
  const channel = platform.add('quiet_news', 1000)
  await addChannels(store, ['quiet_news'], clock)
  const visits: VisitFinished[] = []
  const stop = new AbortController()
  const crawler = createCrawler({
    store,
    source: platform.source,
    politeness: createPoliteness({ budget: store.budget, ratePerS: 1, clock }),
    clock,
    isClockWrong: () => false,
    owner: createOwner(),
    ratePerS: 1,
    concurrency: 2,
    autoIndex: 'off',
    random: () => 0.5,
    drainMs: 0,
    events: {
      ...UNHEARD_CRAWL,
      visitFinished: (event) => visits.push(event),
      crashed: ({ error }) => assert.fail(String(error)),
    },
  })
  const pass = async (ms: number) => {
    for (let t = 0; t < ms; t += 500) await clock.advance(500)
  }
  const owned = stack.move()
  let over: Promise<void> | undefined
  return {
    clock,
    store,
    platform,
    channel,
    visits,
    pass,
    /** Lets time pass until the crawler has made this many visits; what is too old is pruned as in a service. */
    async visit(times: number) {
      over ??= crawler.run(stop.signal)
      const enough = visits.length + times
      for (let i = 0; visits.length < enough; i++) {
        assert.ok(i < 100 * times, 'the crawler does not come')
        await pass(5_000)
        const since = keptSince(store.retention, clock.now())
        if (since > 0) await store.archive.prune(since, 1000)
      }
    },
    rows: (table: string) => disk.prepare(`select * from ${table}`).all(),
    /** Records from now on which tables are written to, and which indexes of a channel's own row. */
    watch() {
      using writer = new DatabaseSync(join(folder, 'store.db'), { timeout: 5_000 })
      const tables = writer
        .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table'`)
        .all()
        .map((row) => String(row['name']))
        .filter((name) => !name.startsWith('sqlite_'))
      writer.exec('create table written (what text primary key, times integer)')
      const trigger = (name: string, event: string, what: string) =>
        writer.exec(`create trigger watch_${name} after ${event} begin
          insert into written values ('${what}', 1) on conflict do update set times = times + 1; end`)
      for (const table of tables) {
        for (const how of ['insert', 'update', 'delete'])
          trigger(`${how}_${table}`, `${how} on ${table}`, `${how} ${table}`)
      }
      const indexed = ['subscribers', 'posts_per_day', 'status', 'last_post_at', 'first_post_at']
      for (const column of [...indexed, 'language', 'name_key'])
        trigger(column, `update of ${column} on channels`, `channels.${column}`)
      return () =>
        disk
          .prepare('select what, times from written order by what')
          .all()
          .map((row) => `${String(row['what'])} ${String(row['times'])}`)
    },
    numbers: () =>
      disk
        .prepare('select key & 0x3ffffff as number from posts')
        .all()
        .map((row) => row['number']),
    known: async () => (await store.archive.channel('quiet_news'))!,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('over'))
      await pass(5_000)
      await over
      await owned.disposeAsync()
    },
  }
}

test('a visit that finds nothing new updates only what it saw and its schedule', async () => {
  await using s = await open()
  s.platform.publish(s.channel, 15, START - DAY)
  await s.visit(1)
  const written = s.watch()
  await s.visit(1)
  assert.deepEqual(written(), ['update channels 1', 'update posts 15', 'update schedules 2'])
})

test('a visit that finds changed media addresses also rewrites those posts, and nothing more', async () => {
  await using s = await open()
  s.platform.publishAlbums(s.channel, 5, 3, START - DAY)
  const rotate = (token: string) => {
    const media = [makeMedia('photo', { url: `https://cdn.example/${token}.jpg` })]
    s.channel.posts = s.channel.posts.map((post) => ({ ...post, media }))
  }
  rotate('a')
  await s.visit(1)
  const written = s.watch()
  rotate('b')
  await s.visit(1)
  assert.deepEqual(written(), [
    'insert post_bodies 5',
    'update channels 1',
    'update posts 10',
    'update schedules 2',
  ])
})

describe('posts older than the retention period', () => {
  async function openOld(fresh: number) {
    const s = await open({ days: 35 })
    s.platform.publish(s.channel, 30, START - 40 * DAY)
    s.platform.publish(s.channel, fresh, START - DAY)
    await s.visit(3)
    return s
  }

  test('are neither archived nor indexed, at any visit', async () => {
    await using s = await openOld(0)
    for (const { requests, added } of s.visits) assert.deepEqual([requests, added], [1, 0])
    assert.deepEqual([s.numbers(), s.rows('gaps')], [[], []])
    const { id, archiveComplete } = await s.known()
    assert.equal(archiveComplete, false)
    await s.store.changes.register('any')
    const claim = await s.store.changes.claim('any', { limit: 100, ttlMs: 1_000 })
    assert.deepEqual(claim?.changes, [{ kind: 'channel', channelId: id }])
  })

  test('leave no gap below the kept posts, and nothing is taken for deleted', async () => {
    await using s = await openOld(5)
    s.platform.publish(s.channel, 2)
    await s.visit(2)
    assert.deepEqual(s.numbers(), [31, 32, 33, 34, 35, 36, 37])
    assert.deepEqual(s.rows('gaps'), [])
    for (const { requests, deleted } of s.visits) assert.deepEqual([requests, deleted], [1, 0])
  })

  test('end a backfill', async () => {
    await using s = await openOld(50)
    const walked = () => s.platform.asked.filter(({ before }) => before !== null).length
    const before = walked()
    await startBackfill(s.store, 'quiet_news', { until: null, clock: s.clock })
    await s.visit(2)
    assert.equal(walked() - before, 1, 'the page below what was walked')
    assert.deepEqual(s.rows('gaps'), [])
    assert.equal(s.numbers().length, 50)
    assert.equal((await s.known()).archiveComplete, false)
  })
})
