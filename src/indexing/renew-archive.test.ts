import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer, deriveByLetters } from '../../test/plain-indexer.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { indexConsumer } from '../store/changes.ts'
import {
  DAY,
  NOON,
  addChannel,
  browse,
  hashtagged,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
  walk,
  wordsOf,
} from '../store/contract/samples.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { renewArchive } from './renew-archive.ts'

const LINK = { buttons: [[{ text: 'Open', url: 'https://example.com/' }]] }
const OLD = NOON - 100 * DAY

/** An archive that an index of an earlier version followed, and that keeps what that version would have derived. */
async function setUp(t: TestContext) {
  const clock = createStillClock(NOON)
  const store = await openTemporary(clock)
  const opened = await openPlainIndex(clock)
  t.after(async () => {
    await opened[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })
  const { id } = await addChannel(store, 'news')
  await addChannel(store, 'empty')
  const posts = [
    { ...hashtagged(1, 'Ёлка'), publishedAt: OLD },
    samplePost(2, { ...LINK, publishedAt: OLD }),
    hashtagged(3, 'Ёлка'),
    samplePost(4, LINK),
  ]
  await store.archive.record(sampleReading(id, { profile: sampleProfile('news'), posts }))
  const former = indexConsumer(ANALYZER_VERSION - 1)
  await store.changes.register(former)
  await store.changes.done((await store.changes.claim(former, { limit: 99, ttlMs: 1000 }))!)
  using db = new DatabaseSync(join(store.files!.folder, 'store.db'))
  db.exec(`update channel_features set value = 'ёлка' where value = 'елка'; delete from channel_features where kind = 2;
    update posts set flags = flags & ~1023; delete from channel_starts; delete from channel_words;
    insert into post_hashes select key, x'00000000' from posts`)
  return { store, clock, writer: opened.writer, id }
}

/** Runs an indexer until it has nothing left to do. */
async function runUntilIdle({ store, writer, clock }: Awaited<ReturnType<typeof setUp>>) {
  const idle = new AbortController()
  const sleep = async () => idle.abort()
  await createPlainIndexer({ store, writer, clock: { ...clock, sleep } }).run(idle.signal)
  const { rebuild } = await store.changes.register(indexConsumer(ANALYZER_VERSION))
  assert.equal(rebuild, 'none')
}

async function kept(store: Store, id: number) {
  const { topHashtags, topDomains } = await store.archive.stats(id, NOON)
  const find = async (word: string) =>
    (await store.archive.channels(browse({ words: [word], sort: 'relevance' }))).items.map(
      (c) => c.username,
    )
  return {
    tags: topHashtags.map(({ value, count }) => `${value} ${count}`),
    domains: topDomains.map(({ value, count }) => `${value} ${count}`),
    linked: await walk(store, listOf(id, { has: ['link'] })),
    worded: await walk(store, listOf(id, { words: wordsOf(['post']) })),
    channels: [...(await find('news')), ...(await find('empty'))],
  }
}

const RIGHT = {
  tags: ['елка 2'],
  domains: ['example.com 2'],
  linked: [4, 2],
  worded: [4, 2],
  channels: ['news', 'empty'],
}

test('what the archive keeps of an earlier analysis is derived anew after the index, posts of any age included', async (t) => {
  const stage = await setUp(t)
  const { store, id } = stage
  assert.deepEqual(await kept(store, id), {
    tags: ['ёлка 2'],
    domains: [],
    linked: [],
    worded: [],
    channels: [],
  })
  await runUntilIdle(stage)
  assert.deepEqual(await kept(store, id), RIGHT)
  assert.deepEqual(await store.verify(), [])
})

test('an index that was filled, but whose process ended before all was derived anew, lacks nothing', async (t) => {
  const stage = await setUp(t)
  const { store, id } = stage
  await createPlainIndexer(stage).drain()
  const consumer = indexConsumer(ANALYZER_VERSION)
  assert.deepEqual(await store.changes.register(consumer), { rebuild: 'filled' })
  assert.equal((await store.changes.pending(consumer, 9)).isBehind, false)
  await runUntilIdle(stage)
  assert.deepEqual(await kept(store, id), RIGHT)
})

test('a channel that gains a post while it is counted is counted again', async (t) => {
  const { store, clock, id } = await setUp(t)
  let scans = 0
  const archive: Store['archive'] = {
    ...store.archive,
    async *scan(options) {
      yield* store.archive.scan(options)
      if (options.channelId !== id || scans++ > 0) return
      const posts = [hashtagged(5, 'Ёлка')]
      await store.archive.record(sampleReading(id, { at: NOON + 1, posts }))
    },
  }
  for await (const _step of renewArchive({ store: { archive }, derive: deriveByLetters, clock }));
  assert.equal(scans, 2)
  assert.deepEqual((await kept(store, id)).tags, ['елка 3'])
})
