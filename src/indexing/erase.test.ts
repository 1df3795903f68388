import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { whyNoEngines } from '../../test/engines.ts'
import { openTemporary } from '../../test/open-temporary.ts'
import { ownLocation } from '../../test/open-on-cluster.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { until } from '../../test/until.ts'
import type { IndexLocation } from '../search/index-location.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import { makePost } from '../store/contract/make-post.ts'

const NOW = Date.UTC(2026, 3, 1, 12)
const HOUR = 3_600_000

async function setUp(t: TestContext, elsewhere?: IndexLocation) {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-erase-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let now = NOW
  let stop = new AbortController()
  let turns = 0
  const clock = {
    now: () => now,
    elapsed: () => now,
    async sleep(ms: number) {
      now += ms
      if (--turns <= 0) stop.abort()
    },
  }
  const store = await openTemporary(clock)
  const writer = await openIndexWriter(elsewhere ?? { kind: 'embedded', folder }, clock)
  t.after(() => writer[Symbol.asyncDispose]())
  let rebuilds = 0
  const tools = { store, writer, clock }
  const indexer = createPlainIndexer(tools, { rebuilding: () => void rebuilds++ })
  const channel = async (name: string, words: readonly string[]) => {
    const added = await store.archive.addChannel(name, { at: now, status: 'queued' })
    assert.ok(added.outcome === 'added')
    const posts = words.map((word, i) =>
      makePost({
        number: i + 1,
        publishedAt: NOW - HOUR,
        text: `We told ${word} #${word}tag`,
        entities: [{ type: 'hashtag', offset: 9 + word.length, length: word.length + 4 }],
      }),
    )
    const record = (deleted: readonly number[]) =>
      store.archive.record({
        channelId: added.channel.id,
        at: now,
        capture: 'crawl',
        parserVersion: 1,
        profile: null,
        posts: posts.filter((post) => !deleted.includes(post.number)),
        deleted,
      })
    await record([])
    return { record }
  }
  return {
    store,
    writer,
    channel,
    rebuilds: () => rebuilds,
    pass: (ms: number) => (now += ms),
    /** Runs the indexer for a few seconds of its clock. */
    async run() {
      stop = new AbortController()
      turns = 10
      await indexer.run(stop.signal)
    },
    /** The words that still occur in some file of the index. */
    traces: (...words: string[]) =>
      words.filter((word) =>
        readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(word)),
      ),
  }
}

test('no word of a removed channel or post stays in the files of the index', async (t) => {
  const { store, channel, run, pass, traces } = await setUp(t)
  await channel('gardening', ['xylophone', 'zeppelin'])
  await channel('cooking', ['quixotic'])
  await run()
  assert.deepEqual(traces('xylophone', 'quixotictag'), ['xylophone', 'quixotictag'])
  await store.removals.removeChannel('cooking', 'asked to', NOW)
  pass(HOUR)
  await run()
  assert.deepEqual(traces('xylophone', 'quixotic', 'quixotictag'), ['xylophone'])
  await store.removals.removePost('gardening', 1, 'asked to', NOW)
  pass(HOUR)
  await run()
  assert.deepEqual(traces('xylophone', 'xylophonetag', 'zeppelin'), ['zeppelin'])
})

test('no word of a removed post stays in the files, even if its channel had deleted it before', async (t) => {
  const { store, channel, run, pass, traces } = await setUp(t)
  const { record } = await channel('gardening', ['xylophone', 'zeppelin'])
  await run()
  await record([1])
  await run()
  await store.removals.removePost('gardening', 1, 'asked to', NOW)
  pass(HOUR)
  await run()
  assert.deepEqual(traces('xylophone', 'xylophonetag', 'zeppelin'), ['zeppelin'])
})

test('several removals share a rebuild, and a deletion on the platform causes none', async (t) => {
  const { store, writer, channel, run, pass, rebuilds } = await setUp(t)
  const names = ['first_one', 'second_one', 'third_one']
  const { record } = await channel('gardening', ['oak', 'elm'])
  for (const name of names) await channel(name, [name])
  await run()
  const before = rebuilds()
  await record([1])
  pass(HOUR)
  await run()
  assert.equal(rebuilds(), before)
  for (const name of names) {
    await store.removals.removeChannel(name, 'asked to', NOW)
    pass(120_000)
    await run()
  }
  assert.equal(rebuilds(), before + 1)
  assert.equal((await writer.state()).removals, 1)
  pass(HOUR)
  await run()
  assert.equal(rebuilds(), before + 2)
  assert.equal((await writer.state()).removals, 3)
})

test(
  'an OpenSearch index is not rebuilt for a removal',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    await using location = ownLocation()
    const { store, writer, channel, run, pass, rebuilds } = await setUp(t, location)
    await channel('gardening', ['xylophone'])
    await channel('cooking', ['quixotic'])
    await run()
    const [before, { generation }] = [rebuilds(), await writer.state()]
    await store.removals.removeChannel('cooking', 'asked to', NOW)
    pass(HOUR)
    await run()
    pass(HOUR)
    await run()
    // Posts are counted only periodically.
    await until(async () => (await writer.state()).posts === 1)
    const state = await writer.state()
    assert.deepEqual(
      { rebuilds: rebuilds(), generation: state.generation },
      { rebuilds: before, generation },
    )
  },
)
