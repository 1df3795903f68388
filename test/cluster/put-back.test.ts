import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Indexer } from '../../src/indexing/indexer.ts'
import { plainSearch } from '../../src/search/contract/sample.ts'
import { createStillClock } from '../../src/simulator/clocks.ts'
import { addChannel, NOON, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { whyNoEngines } from '../engines.ts'
import { openOnCluster } from '../open-on-cluster.ts'
import { createPlainIndexer } from '../plain-indexer.ts'

const skip = whyNoEngines() ?? false
const retention = { deleted: 'redact', versions: 'keep' } as const

for (const first of ['drain', 'rebuild'] as const) {
  const title = `an archive put back to an earlier moment, as by WAL or a snapshot, is noticed by a ${first} of its index`
  test(title, { skip }, async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'telegrep-put-back-'))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const clock = createStillClock(NOON)
    await using cluster = await openOnCluster()(clock)
    const { index, writer } = cluster
    const told: string[] = []
    const failed = (error: unknown) => told.push(String(error))
    const found = async () =>
      (await index.search(plainSearch(NOON, {}))).hits
        .map(({ number }) => number)
        .sort((a, b) => a - b)
    let id = 0
    const record = (store: Store, number: number) =>
      store.archive.record(sampleReading(id, { posts: [samplePost(number)] }))
    const onStore = async (
      folder: string,
      work: (store: Store, drain: () => Promise<number>, indexer: Indexer) => Promise<void>,
    ) => {
      await using store = await openSqliteStore({ folder: join(root, folder), retention, clock })
      const indexer = createPlainIndexer({ store, writer, clock }, { failed })
      await work(store, () => indexer.drain(), indexer)
    }
    await onStore('now', async (store, drain) => {
      id = (await addChannel(store, 'told')).id
      await record(store, 1)
      await drain()
    })
    cpSync(join(root, 'now'), join(root, 'earlier'), { recursive: true })
    let log = ''
    await onStore('now', async (store, drain) => {
      await record(store, 2)
      await drain()
      // The index learns of the last event with the next batch, or within a minute.
      await drain()
      const place = await store.events.bounds()
      assert.deepEqual([place.last, await found(), told], [2, [1, 2], []])
      log = place.log
    })

    await onStore('earlier', async (store, drain, indexer) => {
      await indexer[first](new AbortController().signal)
      assert.deepEqual(await found(), [1], 'what the archive does not know is not found')
      await record(store, 3)
      await drain()
      assert.deepEqual(await found(), [1, 3])
      const place = await store.events.bounds()
      assert.equal(place.last, 2, 'the number is given again')
      assert.notEqual(place.log, log, 'and is not taken for the one that was told')
      await drain()
      assert.equal(told.length, 1)
      assert.match(told[0]!, /older than its index/)
    })
  })
}

test(
  'two indexers that notice it at once, as at an upgrade, rebuild their indices once each',
  { skip },
  async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'telegrep-put-back-'))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const clock = createStillClock(NOON)
    await using older = await openOnCluster()(clock)
    await using newer = await openOnCluster()(clock)
    const open = (name: string) => openSqliteStore({ folder: join(root, name), retention, clock })
    const indexersOf = (store: Store, told: string[] = []) =>
      [older, newer].map(({ writer }, i) =>
        createPlainIndexer(
          { store, writer, clock, analyzerVersion: i + 1 },
          { failed: () => told.push(['older', 'newer'][i]!) },
        ),
      )
    {
      await using store = await open('now')
      await addChannel(store, 'told')
      await store.events.bounds()
    }
    cpSync(join(root, 'now'), join(root, 'earlier'), { recursive: true })
    {
      await using store = await open('now')
      const { id } = (await store.archive.channel('told'))!
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      // Twice: the index learns of the last event with the next batch.
      for (const indexer of [...indexersOf(store), ...indexersOf(store)]) await indexer.drain()
    }
    await using store = await open('earlier')
    const told: string[] = []
    const [first] = indexersOf(store, told)
    const rename = async (log: string) => {
      // The other has seen the same name, and is done before this one renames the log.
      await first!.drain()
      return store.events.rename(log)
    }
    const [, second] = indexersOf({ ...store, events: { ...store.events, rename } }, told)
    await second!.drain()
    await first!.drain()
    assert.deepEqual(told, ['older', 'newer'])
  },
)
