import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openTemporary } from '../../test/open-temporary.ts'
import { createPlainIndexer, deriveByLetters } from '../../test/plain-indexer.ts'
import type { Post } from '../model/post.ts'
import { FACETS, SORTS, type SearchQuery, type SearchResult, type Sort } from '../model/query.ts'
import { openReader } from '../search/embedded/reader.ts'
import { openIndexWriter } from '../search/open-search-index.ts'
import { createRandom, plainSearch } from '../search/contract/sample.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { makePost } from '../store/contract/make-post.ts'
import { count, sampleProfile } from '../store/contract/samples.ts'
import { parseQuery } from '../text/query/parse-query.ts'
import type { Derive } from './derive.ts'
import { openRebuild } from './rebuild.ts'

/** Promise 3: the index can be deleted at any time and is rebuilt equal. RESILIENCY.md names what may differ. */

const NOW = Date.UTC(2026, 3, 1, 12)
const HOUR = 3_600_000
const WORDS = 'flood metro tunnel water storm power budget votes bread price garden rose'.split(' ')
const QUERIES = ['flood', 'metro water', 'storm -rose', '"power budget"', 'vot*', 'garden OR bread']

async function setUp(t: TestContext, seed: number) {
  const random = createRandom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-rebuild-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = createStillClock(NOW)
  const store = await openTemporary(clock)
  const location = { kind: 'embedded', folder } as const
  let writer = await openIndexWriter(location, clock)
  t.after(() => writer[Symbol.asyncDispose]())
  const makeIndexer = () => createPlainIndexer({ store, writer, clock })
  let indexer = makeIndexer()
  const ids: number[] = []
  for (const name of ['gardening', 'cooking', 'sailing']) {
    const added = await store.archive.addChannel(name, { at: NOW, status: 'queued' })
    assert.ok(added.outcome === 'added')
    ids.push(added.channel.id)
  }

  function postOf(number: number): Post {
    const text = Array.from({ length: 3 + below(20) }, () => WORDS[below(WORDS.length)]).join(' ')
    const views = count(below(900), clock.now())
    return makePost({ number, publishedAt: NOW - number * HOUR, text, views })
  }
  function profileOf(channel: number, subscribers: number) {
    return sampleProfile(`channel_${channel}`, { subscribers: count(subscribers, clock.now()) })
  }
  /** Records a visit that reads some posts, a few of them for the first time. */
  async function record(channel: number, posts: readonly Post[], subscribers: number) {
    clock.pass(60_000)
    const deleted = subscribers !== CALM && random() < 0.5 ? [1 + below(60)] : []
    await store.archive.record({
      channelId: ids[channel]!,
      at: clock.now(),
      capture: 'crawl',
      parserVersion: 1,
      profile: profileOf(channel, subscribers),
      posts: posts.filter((post) => !deleted.includes(post.number)),
      deleted,
    })
    await indexer.drain()
  }

  return {
    below,
    postOf,
    record,
    answers(sort: Sort): SearchResult[] {
      const reader = openReader(folder)
      const found: SearchResult[] = []
      for (const q of QUERIES) {
        for (const minViews of [null, 400]) {
          const plain = plainSearch(NOW, {})
          const query: SearchQuery = {
            ...plain,
            root: parseQuery(q, { now: NOW }),
            sort,
            facets: [...FACETS],
            filters: { ...plain.filters, minViews },
            strict: true,
            limit: 200,
          }
          found.push(reader.search(query, clock.now()))
        }
      }
      reader.close()
      return found
    },
    rebuild: () => indexer.rebuild(new AbortController().signal),
    async deleteIndex() {
      await writer[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
      writer = await openIndexWriter(location, clock)
      indexer = makeIndexer()
    },
  }
}

/** In this test a channel with this many subscribers has neither edits nor deletions. */
const CALM = 5_000

test('an index deleted after any history is rebuilt with the same posts, counts and orders', async (t) => {
  for (const seed of [1, 2]) {
    const { below, postOf, record, answers, deleteIndex, rebuild } = await setUp(t, seed)
    const read = new Map<string, Post>()
    for (let visit = 0; visit < 20; visit++) {
      const channel = below(3)
      const numbers = new Set(Array.from({ length: 25 }, () => 1 + below(60)))
      const posts = [...numbers].map((number) => {
        const key = `${channel}/${number}`
        const fresh = postOf(number)
        const known = read.get(key)
        // Mostly the same text with other views, which fall as often as they grow; otherwise an edit.
        const post = known && below(4) > 0 ? { ...known, views: fresh.views } : fresh
        read.set(key, post)
        return post
      })
      await record(channel, posts, 10 + visit * visit * 4_000)
    }
    const before = new Map(SORTS.map((sort) => [sort, answers(sort)]))
    assert.ok(before.get('newest')!.filter(({ total }) => total.value > 0).length > 8)
    await deleteIndex()
    await rebuild()
    for (const sort of SORTS) {
      const [old, anew] = [before.get(sort)!, answers(sort)]
      assert.deepEqual(anew.map(told(sort)), old.map(told(sort)), `seed ${seed} by ${sort}`)
    }
    const first = answers('relevance')
    await rebuild()
    assert.deepEqual(answers('relevance'), first, 'and the next time equal to the last score')
  }
})

test('a rebuild without edits, deletions or new subscribers also gives equal scores', async (t) => {
  const { postOf, record, answers, deleteIndex, rebuild } = await setUp(t, 7)
  for (let visit = 0; visit < 12; visit++) {
    const posts = Array.from({ length: 10 }, (_, i) => postOf(visit * 10 + i + 1))
    await record(visit % 3, posts, CALM)
  }
  const before = answers('relevance')
  await deleteIndex()
  await rebuild()
  assert.deepEqual(answers('relevance'), before)
})

test('a part that fails while the previous one is being written is reported once that one is written', async (t) => {
  let parts = 0
  const failed = Promise.withResolvers<void>()
  const { rebuild } = await setUpMany(t, () => {
    if (++parts < 2) return
    failed.resolve()
    throw new Error('no memory')
  })
  let puts = 0
  const { apply } = rebuild.writer
  rebuild.writer.apply = async (batch) => {
    if (!batch.puts) return apply(batch)
    await failed.promise
    // An unhandled rejection would have ended the process by now.
    await setTimeout(20)
    await apply(batch)
    puts++
  }
  await assert.rejects(rebuild.steps()[Symbol.asyncIterator]().next(), /no memory/)
  assert.equal(puts, 1)
})

/** A rebuild of 4 500 posts; `onDerive` is called with each part before it is derived. */
async function setUpMany(t: TestContext, onDerive: (part: readonly unknown[]) => void) {
  const clock = createStillClock(NOW)
  const store = await openTemporary(clock)
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-rebuild-'))
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  opened.defer(() => rmSync(folder, { recursive: true }))
  const added = await store.archive.addChannel('gardening', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const posts = Array.from({ length: 4_500 }, (_, i) =>
    makePost({ number: i + 1, publishedAt: NOW - i * 60_000, text: `rose ${i}` }),
  )
  await store.archive.record({
    channelId: added.channel.id,
    at: NOW,
    capture: 'crawl',
    parserVersion: 1,
    profile: null,
    posts,
    deleted: [],
  })
  const derive: Derive = async (part, ...known) => {
    onDerive(part)
    return deriveByLetters(part, ...known)
  }
  const writer = opened.use(await openIndexWriter({ kind: 'embedded', folder }, clock))
  const options = { mayResume: false }
  const rebuild = opened.use(await openRebuild({ store, writer, derive, clock }, options))
  return { rebuild, writer, posts: posts.length }
}

/** What the promise covers: sorted by relevance, which posts match; in other orders, also their order. */
function told(sort: Sort) {
  return ({ hits, total, facets, complete }: SearchResult) => {
    const refs = hits.map((hit) => `${hit.channelId}/${hit.number} ${hit.matched}`)
    return { refs: sort === 'relevance' ? refs.toSorted() : refs, total, facets, complete }
  }
}
