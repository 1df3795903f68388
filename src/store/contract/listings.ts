import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ArchivedPost } from '../../model/post.ts'
import { NOTHING_WRITTEN, type Page } from '../archive.ts'
import { keptSince } from '../retention.ts'
import {
  DAY,
  MINUTE,
  NOON,
  addChannel,
  drained,
  ended,
  listOf,
  sampleMedia,
  samplePost,
  sampleReading,
  take,
  walk,
  type OpenStore,
} from './samples.ts'

/** Operations on many posts: listings, scans, pruning. */
export function describeListings(open: OpenStore): void {
  describe('listings', () => {
    for (const order of ['newest', 'oldest'] as const) {
      test(`paging from the ${order} shows each post once while posts arrive`, async () => {
        const { store } = await open()
        const { id } = await addChannel(store, 'walks')
        const numbers = Array.from({ length: 25 }, (_, i) => i + 1)
        await store.archive.record(sampleReading(id, { posts: numbers.map((n) => samplePost(n)) }))
        const seen: number[] = []
        let after: number | null = null
        for (let arriving = 100; arriving < 120; arriving++) {
          const query = listOf(id, { order, after, limit: 4 })
          const page: Page<ArchivedPost, number> = await store.archive.listPosts(query)
          seen.push(...page.items.map((post) => post.number))
          after = page.next
          if (after === null) break
          await store.archive.record(sampleReading(id, { posts: [samplePost(arriving)] }))
        }
        const expected = order === 'newest' ? numbers.toReversed() : numbers
        assert.deepEqual(
          seen.filter((number) => number <= 25),
          expected,
        )
        assert.equal(new Set(seen).size, seen.length)
      })
    }

    test('listings respect their bounds and filters', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'filters')
      const { id: neighbour } = await addChannel(store, 'neighbour')
      await store.archive.record(sampleReading(neighbour, { posts: [samplePost(1)] }))
      const posts = [
        samplePost(1, { publishedAt: NOON - 3 * DAY }),
        samplePost(2, { publishedAt: NOON - 2 * DAY, media: [sampleMedia()] }),
        samplePost(3, { publishedAt: NOON - DAY, media: [sampleMedia({ kind: 'video' })] }),
        samplePost(4, { publishedAt: NOON - MINUTE, kind: 'service' }),
        samplePost(5, {
          publishedAt: NOON,
          forwardedFrom: { name: 'x', username: null, postUrl: null, author: null },
        }),
      ]
      await store.archive.record(sampleReading(id, { posts }))
      const list = (fields: object) =>
        walk(store, listOf(id, { order: 'oldest', limit: 2, ...fields }))
      assert.deepEqual(await list({}), [1, 2, 3, 5])
      assert.deepEqual(await list({ includeService: true }), [1, 2, 3, 4, 5])
      assert.deepEqual(await list({ since: NOON - 2 * DAY, until: NOON }), [2, 3])
      assert.deepEqual(await list({ has: ['media'] }), [2, 3])
      assert.deepEqual(await list({ has: ['media', 'video'] }), [3])
      assert.deepEqual(await list({ has: ['poll'] }), [])
      assert.deepEqual(await list({ forwards: 'only' }), [5])
      assert.deepEqual(await list({ forwards: 'exclude' }), [1, 2, 3])
      assert.deepEqual(await list({ until: NOON - 9 * DAY }), [])
    })

    test('a post has a link if one is in its text or on a button', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'links')
      const button = (url: string) => [[{ text: 'Open', url }]]
      const posts = [
        samplePost(1, { buttons: button('https://example.com/') }),
        samplePost(2, { buttons: button('tg://resolve?domain=x') }),
        samplePost(3, { text: 'unmarked: example.com/list' }),
        samplePost(4),
      ]
      await store.archive.record(sampleReading(id, { posts }))
      assert.deepEqual(await walk(store, listOf(id, { order: 'oldest', has: ['link'] })), [1, 3])
    })

    test('a scan yields every post once, in full batches', async () => {
      const { store } = await open()
      const first = await addChannel(store, 'scan_a')
      const second = await addChannel(store, 'scan_b')
      const posts = Array.from({ length: 7 }, (_, i) =>
        samplePost(i + 1, { publishedAt: NOON - (7 - i) * DAY }),
      )
      for (const { id } of [first, second]) await store.archive.record(sampleReading(id, { posts }))
      const sizes: number[] = []
      const refs: string[] = []
      for await (const batch of store.archive.scan({ batch: 5, publishedSince: NOON - 5 * DAY })) {
        sizes.push(batch.length)
        refs.push(...batch.map((post) => `${post.channelId}/${post.number}`))
      }
      const numbers = [3, 4, 5, 6, 7]
      const expected = [first.id, second.id].flatMap((id) => numbers.map((n) => `${id}/${n}`))
      assert.deepEqual([refs, sizes], [expected, [5, 5]])
      const one: number[] = []
      for await (const batch of store.archive.scan({ batch: 100, channelId: second.id })) {
        one.push(...batch.map((post) => post.number))
      }
      assert.deepEqual(one, [1, 2, 3, 4, 5, 6, 7])
      const rest: string[] = []
      const after = { channelId: first.id, number: 6 }
      for await (const batch of store.archive.scan({ batch: 3, after })) {
        rest.push(...batch.map((post) => `${post.channelId}/${post.number}`))
      }
      assert.deepEqual(rest.slice(0, 2), [`${first.id}/7`, `${second.id}/1`], 'it goes on')
      assert.equal(rest.length, 8)
      const stop = new AbortController()
      const scan = store.archive.scan({ batch: 3, signal: stop.signal })
      const stopped = async () => {
        for await (const _ of scan) stop.abort(new Error('enough'))
      }
      await assert.rejects(stopped(), /enough/)
    })

    test('pruning erases old posts and nothing else', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'prunes')
      const posts = [1, 2, 3, 4].map((n) => samplePost(n, { publishedAt: NOON - (5 - n) * DAY }))
      await store.archive.record(sampleReading(id, { posts }))
      await drained(store)
      assert.equal(await store.archive.prune(NOON - 2 * DAY, 1), 1)
      assert.equal(await store.archive.prune(NOON - 2 * DAY, 100), 1)
      assert.equal(await store.archive.prune(NOON - 2 * DAY, 100), 0)
      assert.deepEqual(await walk(store, listOf(id)), [4, 3])
      const channel = await store.archive.channel('prunes')
      assert.deepEqual([channel?.posts, channel?.firstPostAt], [2, NOON - 2 * DAY])
      assert.deepEqual(await drained(store), [`post ${id}/1`, `post ${id}/2`])
    })

    test('posts too old to be kept are not recorded, and their channel is not complete', async () => {
      const { store } = await open({ days: 2 })
      const { id } = await addChannel(store, 'forgets')
      await drained(store)
      const posts = [3, 2, 1].map((days, i) =>
        samplePost(i + 1, { publishedAt: NOON - days * DAY }),
      )
      const [visit] = await take(store)
      const reading = sampleReading(id, { posts })
      const written = await store.frontier.settle(
        visit!.lease,
        ended(visit!, { reading, walked: [{ before: 4, downTo: 2 }] }),
      )
      assert.deepEqual(written, { ...NOTHING_WRITTEN, added: [2, 3], tooOld: 1 })
      assert.deepEqual(await walk(store, listOf(id)), [3, 2])
      assert.deepEqual(await drained(store), [`post ${id}/2`, `post ${id}/3`])
      assert.equal((await store.archive.channel('forgets'))?.archiveComplete, false)
      assert.equal(await store.archive.prune(keptSince(store.retention, NOON), 100), 0)
    })

    test('a channel whose first posts were pruned is not complete', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'complete')
      const posts = [samplePost(1, { publishedAt: NOON - 3 * DAY }), samplePost(2)]
      const [visit] = await take(store)
      const reading = sampleReading(id, { posts })
      await store.frontier.settle(
        visit!.lease,
        ended(visit!, { reading, walked: [{ before: 3, downTo: 1 }] }),
      )
      const isComplete = async () => (await store.archive.channel('complete'))?.archiveComplete
      await store.archive.prune(NOON - 4 * DAY, 100)
      assert.equal(await isComplete(), true)
      await store.archive.prune(NOON - 2 * DAY, 100)
      assert.equal(await isComplete(), false)
    })
  })
}
