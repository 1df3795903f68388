import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import type { Clock } from '../model/clock.ts'
import { plainSearch } from '../search/contract/sample.ts'
import { makePost } from '../store/contract/make-post.ts'
import { sampleReading } from '../store/contract/samples.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { indexConsumer } from '../store/changes.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'

const NOW = Date.UTC(2026, 3, 1, 12)

/** An archive of one channel, and any number of indexes that follow it. */
async function setUp(t: TestContext) {
  const clock = createStillClock(NOW)
  const store = await openTemporary(clock)
  const added = await store.archive.addChannel('gardening', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const { id } = added.channel
  const record = (number: number) => {
    const posts = [makePost({ number, publishedAt: clock.now(), text: `Roses ${number}` })]
    return store.archive.record(sampleReading(id, { at: clock.now(), posts }))
  }
  async function openIndex(analyzerVersion: number) {
    const { index, writer, ...opened } = await openPlainIndex(clock)
    t.after(() => opened[Symbol.asyncDispose]())
    const find = async () => {
      const { hits } = await index.search(plainSearch(clock.now(), { limit: 9 }))
      return hits.map((hit) => hit.number).toSorted((a, b) => a - b)
    }
    const generation = async () => (await writer.state()).generation
    const startIndexer = (own = writer, ownClock: Clock = clock) =>
      createPlainIndexer({ store, writer: own, clock: ownClock, analyzerVersion })
    return { writer, find, generation, startIndexer }
  }
  const own = await openIndex(ANALYZER_VERSION)
  return { store, record, pass: clock.pass, own, openNewer: () => openIndex(ANALYZER_VERSION + 1) }
}

test('two analyzer versions are fed side by side until the older has been idle for ten minutes', async (t) => {
  const { store, record, pass, own, openNewer } = await setUp(t)
  const indexer = own.startIndexer()
  await record(1)
  await indexer.drain()
  const other = await openNewer()
  const newer = other.startIndexer()
  const before = await other.generation()
  await newer.drain()
  assert.equal(await other.generation(), before + 1, 'what passed it by is read again')
  assert.deepEqual(await other.find(), [1])
  pass(1000)
  await record(2)
  await newer.drain()
  await indexer.drain()
  assert.deepEqual(
    [await other.find(), await own.find()],
    [
      [1, 2],
      [1, 2],
    ],
  )
  pass(5 * 60_000)
  await newer.drain()
  pass(5 * 60_000 + 1)
  await newer.drain()
  const names = async () => (await store.changes.consumers()).map(({ name }) => name)
  assert.deepEqual(await names(), [indexConsumer(ANALYZER_VERSION + 1)])
  const generation = await own.generation()
  await indexer.drain()
  assert.equal((await names()).length, 2, 'who was removed may come back')
  assert.equal(await own.generation(), generation + 1, 'and builds its index anew')
  pass(10 * 60_000 + 1)
  await other.startIndexer().drain()
  assert.equal((await names()).length, 1, 'a command that indexes runs too short to look twice')
})

test('who comes back after a time in which nobody could reach the store takes no other for idle', async (t) => {
  const { store, record, pass, own, openNewer } = await setUp(t)
  const indexer = own.startIndexer()
  await record(1)
  await indexer.drain()
  const newer = (await openNewer()).startIndexer()
  await newer.drain()
  const generation = await own.generation()
  pass(11 * 60_000)
  await newer.drain()
  pass(30_000)
  await indexer.drain()
  pass(60_000)
  await newer.drain()
  assert.equal((await store.changes.consumers()).length, 2)
  assert.equal(await own.generation(), generation, 'nor has that to build its index anew')
})

test('an index that changes have passed by is rebuilt even if the first process to know of it ends at once', async (t) => {
  const { store, record, own } = await setUp(t)
  await record(1)
  await own.startIndexer().drain()
  // Another version feeds an index of its own, and has removed this one after ten minutes of silence.
  const other = indexConsumer(ANALYZER_VERSION + 1)
  await store.changes.register(other)
  await store.changes.unregister(indexConsumer(ANALYZER_VERSION))
  await record(2)
  await store.changes.done((await store.changes.claim(other, { limit: 9, ttlMs: 60_000 }))!)
  const ended = new Error('ended')
  const startGeneration = () => Promise.reject(ended)
  for (const number of [3, 4]) {
    await record(number)
    await assert.rejects(own.startIndexer({ ...own.writer, startGeneration }).drain(), ended)
    assert.ok((await own.find()).includes(number), 'new changes are indexed nevertheless')
  }
  assert.deepEqual(await own.find(), [1, 3, 4])
  await own.startIndexer().drain()
  assert.deepEqual(await own.find(), [1, 2, 3, 4])
  const generation = await own.generation()
  await own.startIndexer().drain()
  assert.equal(await own.generation(), generation, 'once is enough')
})

test('an indexer whose clock is far ahead of the store’s does not take its own index for one out of use', async (t) => {
  const { store, record, own } = await setUp(t)
  await record(1)
  await own.startIndexer(own.writer, createStillClock(NOW + 11 * 60_000)).drain()
  assert.deepEqual(await own.find(), [1])
  assert.equal((await store.changes.consumers()).length, 1)
})
