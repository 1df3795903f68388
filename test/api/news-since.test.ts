import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamPosts } from '../../src/operations/stream-posts.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { startService } from './harness.ts'

test('a client that comes back reads a long event log in bounded steps', async () => {
  await using service = await startService()
  const { ctx, store, clock } = service
  const post = (number: number, text: string) =>
    makePost({ number, publishedAt: clock.now() - 1_000, text })
  const channelId = await service.publish({ username: 'quays' }, [post(1, 'a ferry')])
  const [first] = await store.events.after(0, 1)
  const edits = Array.from({ length: 6_000 }, (_, i) => ({
    channelId,
    number: 1,
    revision: i + 2,
    publishedAt: clock.now(),
    firstCapturedAt: clock.now(),
    document: () => first!.document!,
  }))
  await store.events.append(edits)
  await service.publish({ username: 'quays' }, [post(2, 'a crane')])

  const { news } = streamPosts.prepare({ q: 'crane' })
  const { log } = await store.events.bounds()
  const never = new AbortController().signal
  const places = [0]
  let sinceId = `${log}-0`
  for (;;) {
    const page = await news(ctx, { sinceId, limit: 20, signal: never })
    sinceId = page.sinceId
    places.push(Number(sinceId.split('-')[1]))
    if (!page.more) {
      assert.equal(page.news.length, 1)
      break
    }
    assert.equal(page.news.length, 0)
  }
  assert.deepEqual(places, [0, 5_000, 6_002])

  const gone = AbortSignal.abort(new Error('nobody waits'))
  await assert.rejects(news(ctx, { sinceId: `${log}-0`, limit: 20, signal: gone }), /nobody waits/)
})
