import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNoEngines } from '../../test/engines.ts'
import { openTemporary } from '../../test/open-temporary.ts'
import { ownLocation } from '../../test/open-on-cluster.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { openIndexWriter, openSearchIndex } from '../search/open-search-index.ts'
import { indexConsumer } from '../store/changes.ts'
import { makePost } from '../store/contract/make-post.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { plainSearch } from '../search/contract/sample.ts'

const NOW = Date.UTC(2026, 3, 1, 12)

for (const isJoining of [false, true])
  test(
    `an interrupted rebuild on OpenSearch resumes where it stopped, including later changes${isJoining ? ', beside another version' : ''}`,
    { skip: whyNoEngines() ?? false },
    async () => {
      await using opened = new AsyncDisposableStack()
      const clock = createStillClock(NOW)
      const location = opened.use(ownLocation())
      const store = await openTemporary(clock)
      if (isJoining) await store.changes.register(indexConsumer(ANALYZER_VERSION - 1))
      const added = await store.archive.addChannel('gardening', { at: NOW, status: 'queued' })
      assert.ok(added.outcome === 'added')
      const channelId = added.channel.id
      const record = (number: number) =>
        store.archive.record({
          channelId,
          at: NOW,
          capture: 'crawl',
          parserVersion: 1,
          profile: null,
          posts: [makePost({ number, publishedAt: NOW - 60_000, text: `Roses ${number}` })],
          deleted: [],
        })
      await record(1)
      {
        await using writer = await openIndexWriter(location, clock)
        const indexer = createPlainIndexer({ store, writer, clock })
        if (!isJoining) await indexer.drain()
        const stopped = AbortSignal.abort(new Error('stopped'))
        await assert.rejects(indexer.rebuild(stopped), /stopped/)
        assert.equal((await writer.state()).rebuilding, true)
      }
      await record(2)
      const read: number[] = []
      const archive: typeof store.archive = {
        ...store.archive,
        async *scan(options) {
          for await (const posts of store.archive.scan(options)) {
            read.push(...posts.map((post) => post.number))
            yield posts
          }
        },
      }
      await using writer = await openIndexWriter(location, clock)
      const next = createPlainIndexer({ store: { ...store, archive }, writer, clock })
      await next.rebuild(new AbortController().signal)
      assert.deepEqual(read, [2], 'the first is in already')
      await using index = await openSearchIndex(location, clock)
      const { hits } = await index.search(plainSearch(NOW, { limit: 9 }))
      assert.deepEqual(
        hits.map((hit) => hit.number).toSorted((a, b) => a - b),
        [1, 2],
      )
      const { generation, complete, rebuilding } = await writer.state()
      assert.deepEqual([generation, complete, rebuilding], [2, true, false])
    },
  )
