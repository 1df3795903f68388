import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePost, startService } from './harness.ts'

test('a search also finds posts by words in the addresses they link to, ranked below posts that say them', async () => {
  await using service = await startService()
  const publishedAt = service.clock.now() - 3_600_000
  const link = 'https://example.org/2026/11/strait-closed-again'
  await service.publish({ username: 'harbour' }, [
    makePost({ number: 1, publishedAt, text: 'The strait is closed again, say pilots' }),
    makePost({ number: 2, publishedAt, text: `Read on: ${link}` }),
    makePost({
      number: 3,
      publishedAt,
      text: 'Read more',
      entities: [{ type: 'text_link', offset: 0, length: 4, url: link }],
    }),
    makePost({ number: 4, publishedAt, text: 'Nothing of the kind' }),
  ])
  const found = async (path: string) =>
    ((await service.get(path)).json.data as { slug: string }[]).map(({ slug }) => slug)

  const best = await found('/v1/search?q=closed strait&collapse=none')
  assert.equal(best[0], '1')
  assert.deepEqual(best.slice().sort(), ['1', '2', '3'])
  assert.deepEqual(await found('/v1/channels/harbour/posts?q=strait'), ['3', '2', '1'])
  const { json } = await service.get('/v1/search?q=strait pilots&strict=true')
  assert.deepEqual((json.data as { slug: string }[]).length, 1)
})
