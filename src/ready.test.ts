import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { whyNoEngines } from '../test/engines.ts'
import { ownLocation } from '../test/open-on-cluster.ts'
import { openTemporary } from '../test/open-temporary.ts'
import { drainChanges } from '../test/drain-changes.ts'
import { until } from '../test/until.ts'
import { systemClock } from './model/clock.ts'
import { AppError } from './model/errors.ts'
import { expectWrites, whyNotReady } from './ready.ts'
import { describeSkew } from './clock-skew.ts'
import { createRandom, sampleDocument } from './search/contract/sample.ts'
import { locateIndex } from './search/index-location.ts'
import { openSearchIndex } from './search/open-search-index.ts'
import { openClient } from './search/opensearch/client.ts'
import { openWriter } from './search/opensearch/writer.ts'
import { indexConsumer } from './store/changes.ts'
import { addChannel, samplePost, sampleReading } from './store/contract/samples.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import { ANALYZER_VERSION } from './text/analyze.ts'

const RETENTION = { deleted: 'redact', versions: 'keep' } as const

function temporary(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-ready-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a process is not ready if the store’s clock is more than two seconds off', async (t) => {
  const location = locateIndex({ folder: temporary(t) })
  await using index = await openSearchIndex(location, systemClock)
  for (const [aheadMs, expected] of [
    [0, null],
    [1_500, null],
    [-1_500, null],
    [3_000, 'clock: the store’s clock is 3 s ahead of ours'],
    [-3_000, 'clock: the store’s clock is 3 s behind ours'],
  ] as const) {
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
    await using store = await openTemporary(clock)
    const parts = { store, index, config: { index: location }, clock: systemClock }
    assert.equal(await whyNotReady(parts, true), expected, `${aheadMs} ms ahead`)
  }
})

test('a process is not ready while its store cannot count requests', async (t) => {
  const folder = temporary(t)
  const location = locateIndex({ folder })
  await using index = await openSearchIndex(location, systemClock)
  await using store = await openSqliteStore({ folder, retention: RETENTION })
  const parts = { store, index, config: { index: location }, clock: systemClock }
  assert.equal(await whyNotReady(parts, true), null)
  const other = new DatabaseSync(join(folder, 'ledger.db'))
  t.after(() => other.close())
  // As on a disk that was remounted read-only: reads work, writes fail.
  other.exec(
    `create trigger no_write before insert on usage begin select raise(abort, 'read-only'); end`,
  )
  // The store was probed within the second, so the next probe may not write yet.
  await assert.rejects(expectWrites(store, 1), /read-only/)
  await until(async () => (await whyNotReady(parts, true)) !== null)
  assert.equal(await whyNotReady(parts, true), 'store, counting requests: read-only')
  assert.ok((await store.ping()) > 0)
  other.exec('drop trigger no_write')
  assert.equal(await whyNotReady(parts, true), null)
})

test('a process is not ready while its embedded index is missing and the archive has posts', async (t) => {
  const location = locateIndex({ folder: temporary(t) })
  await using index = await openSearchIndex(location, systemClock)
  await using store = await openTemporary()
  const parts = { store, index, config: { index: location }, clock: systemClock }
  assert.equal(await whyNotReady(parts, true), null)
  const { id } = await addChannel(store, 'durov')
  await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
  // An index that has not been sent the post yet is only behind.
  assert.equal(await whyNotReady(parts, true), null)
  const consumer = indexConsumer(ANALYZER_VERSION)
  await store.changes.register(consumer)
  await drainChanges(store, consumer, 10, async () => {})
  assert.equal(await whyNotReady(parts, true), 'index: no index is there')
  assert.equal(
    await whyNotReady(parts, false),
    null,
    'who only crawls, beside the files of another machine',
  )
})

test('a process whose store hangs or is unavailable reports that as the reason', async (t) => {
  const location = locateIndex({ folder: temporary(t) })
  await using index = await openSearchIndex(location, systemClock)
  await using store = await openTemporary()
  const parts = { store, index, config: { index: location }, clock: systemClock }
  store.ping = () => new Promise(() => {})
  assert.equal(await whyNotReady(parts, true), 'store: no answer within a second')
  store.ping = () => Promise.reject(new AppError('unavailable', 'the database db:5432/x is away'))
  assert.equal(await whyNotReady(parts, true), 'store: the database db:5432/x is away')
})

test('a process stays ready while OpenSearch is unreachable, and searches are `unavailable`', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const cluster = { nodes: [`http://127.0.0.1:${port}`], prefix: 'telegrep' }
  const location = locateIndex({ folder: temporary(t), cluster })
  await using index = await openSearchIndex(location, systemClock)
  await using store = await openTemporary()
  const parts = { store, index, config: { index: location }, clock: systemClock }
  assert.equal(await whyNotReady(parts, true), null)
  await assert.rejects(index.state(), { code: 'unavailable', retryAfterS: 5 })
})

test(
  'a process with another analyzer version is not ready until its own index is filled',
  { skip: whyNoEngines() ?? false },
  async () => {
    await using opened = new AsyncDisposableStack()
    const location = opened.use(ownLocation())
    const client = opened.use(await openClient(location))
    const about = { client, prefix: location.prefix, clock: systemClock }
    const index = opened.use(await openSearchIndex(location, systemClock))
    const store = opened.use(await openTemporary())
    // A busy machine may take its time to answer.
    const clock = { ...systemClock, sleep: () => new Promise<never>(() => {}) }
    const parts = { store, index, config: { index: location }, clock }
    const isNowReady = async () => (await whyNotReady(parts, true)) === null
    const puts = [sampleDocument(createRandom(1), Date.now() - 60_000, [])]
    const fill = async (analyzerVersion: number) => {
      await using writer = await openWriter({ ...about, analyzerVersion })
      await writer.apply({ puts })
      const before = await isNowReady()
      await using next = await writer.startGeneration(0)
      await next.apply({ puts })
      await next.swap()
      return [before, await isNowReady()]
    }
    assert.equal(await isNowReady(), true, 'where there is none at all')
    assert.deepEqual(await fill(ANALYZER_VERSION - 1), [true, false])
    assert.deepEqual(await fill(ANALYZER_VERSION), [false, true])
  },
)

test('a clock difference is described as ahead or behind', () => {
  assert.equal(describeSkew(4_600), 'the store’s clock is 5 s ahead of ours')
  assert.equal(describeSkew(-5_000), 'the store’s clock is 5 s behind ours')
})
