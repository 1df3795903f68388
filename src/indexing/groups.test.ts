import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { plainSearch } from '../search/contract/sample.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { makePost } from '../store/contract/make-post.ts'

const NOW = Date.UTC(2026, 3, 1, 12)
const TEXT =
  'The river rose three metres overnight and the old bridge had to be closed to everybody'

async function setUp() {
  const clock = createStillClock(NOW)
  const store = await openTemporary(clock)
  const plain = await openPlainIndex(clock)
  const added = await store.archive.addChannel('rivers', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const channelId = added.channel.id
  const indexer = createPlainIndexer({ store, writer: plain.writer, clock })
  async function record(number: number, text: string, deleted: readonly number[] = []) {
    const posts = [makePost({ number, text, publishedAt: NOW - 60_000 * (100 - number) })]
    const reading = { at: clock.now(), capture: 'crawl', parserVersion: 1, profile: null } as const
    await store.archive.record({ ...reading, channelId, posts, deleted })
  }
  /** The posts that a collapsed search shows, with the size of their groups. */
  async function shown() {
    const { hits } = await plain.index.search(plainSearch(NOW, { collapse: true }))
    return hits.map((hit) => `${hit.number}${hit.cluster ? ` of ${hit.cluster.size}` : ''}`)
  }
  return { ...plain, clock, store, indexer, record, shown, channelId }
}

test('a group is represented by its earliest post, even if that one is archived last', async () => {
  await using stage = await setUp()
  const { indexer, record, shown } = stage
  await record(5, TEXT)
  await record(7, 'Something else that has nothing to do with it')
  await indexer.drain()
  assert.deepEqual(await shown(), ['7', '5'])
  await record(6, `${TEXT} again`)
  await indexer.drain()
  assert.deepEqual(await shown(), ['7', '5 of 2'], 'the post that was alone is told of its copy')
  await record(2, TEXT)
  await indexer.drain()
  assert.deepEqual(await shown(), ['7', '2 of 3'])
})

test('a post that is deleted or edited into something else leaves its group', async () => {
  await using stage = await setUp()
  const { clock, indexer, record, shown } = stage
  for (const number of [1, 2, 3]) await record(number, TEXT)
  await indexer.drain()
  assert.deepEqual(await shown(), ['1 of 3'])
  clock.pass(1_000)
  await record(9, 'A day without news', [1])
  await indexer.drain()
  assert.deepEqual(await shown(), ['9', '2 of 2'])
  clock.pass(1_000)
  await record(2, 'The bridge is open again, and the river is where it belongs to be in spring')
  await indexer.drain()
  assert.deepEqual(await shown(), ['9', '3', '2'])
})

test('a batch that was grouped but not written is grouped the same way on retry', async () => {
  await using stage = await setUp()
  const { clock, store, record, shown, writer } = stage
  let fails = 2
  const failing = {
    ...writer,
    apply: (batch: Parameters<typeof writer.apply>[0]) =>
      fails-- > 0 ? Promise.reject(new Error('the disk is full')) : writer.apply(batch),
  }
  const indexer = createPlainIndexer({ store, writer: failing, clock })
  await record(1, TEXT)
  await assert.rejects(indexer.drain(), /disk is full/)
  await record(2, TEXT)
  await assert.rejects(indexer.drain(), /disk is full/)
  await indexer.drain()
  assert.deepEqual(await shown(), ['1 of 2'])
})

test('a rebuild keeps the groups', async () => {
  await using stage = await setUp()
  const { indexer, index, record, channelId } = stage
  for (const number of [1, 2, 3]) await record(number, TEXT)
  await indexer.drain()
  const before = await index.duplicates({ channelId, number: 2 }, 9)
  assert.equal(before?.cluster.size, 3)
  await indexer.rebuild(new AbortController().signal)
  assert.deepEqual(await index.duplicates({ channelId, number: 2 }, 9), before)
})
