import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { sampleWatch } from '../../src/store/contract/watches.ts'
import { startService } from '../start-service.ts'
import { until } from '../until.ts'

test('the feed of a watch has a Content-Usage header and an ETag that gets 304 until a new post', async () => {
  await using service = await startService({ world: { channels: 1 } })
  const { store } = service.app
  const { id } = await addChannel(store, 'gales', Date.now())
  const publish = (number: number) => {
    const at = Date.now()
    const posts = [samplePost(number, { text: `Storm ${number}`, publishedAt: at - 60_000 })]
    return store.archive.record(sampleReading(id, { at, posts }))
  }
  const sinks = { feed: { token: 'unguessable' } }
  const watch = await store.watches.put(sampleWatch('storms', { query: { q: 'storm' }, sinks }))
  const read = (ending: string, etag?: string) =>
    fetch(`${service.url}/watches/storms/unguessable.${ending}`, {
      headers: etag === undefined ? {} : { 'If-None-Match': etag },
    })
  const told = (count: number) =>
    until(async () => (await store.deliveries.lastTold(watch.id, 10)).length === count)
  await publish(1)
  await told(1)
  for (const ending of ['rss', 'json']) {
    const first = await read(ending)
    assert.match(await first.text(), /Storm 1/)
    assert.equal(first.headers.get('content-usage'), 'train-ai=n')
    const etag = first.headers.get('etag')!
    const again = await read(ending, etag)
    assert.deepEqual([again.status, await again.text()], [304, ''])
    assert.equal(again.headers.get('etag'), etag)
  }
  const before = await read('json')
  await publish(2)
  await told(2)
  const later = await read('json', before.headers.get('etag')!)
  assert.match(await later.text(), /Storm 2.*Storm 1/s)
})

test('the feed of a watch needs no key, even where the API requires one', async () => {
  await using service = await startService({
    world: { channels: 1 },
    env: { TELEGREP_ANONYMOUS: 'off' },
  })
  const sinks = { feed: { token: 'unguessable' } }
  await service.app.store.watches.put(sampleWatch('storms', { sinks }))
  const statusOf = async (path: string, headers = {}) =>
    (await fetch(`${service.url}${path}`, { headers })).status
  assert.equal(await statusOf('/v1/search?q=storm&format=rss'), 401)
  assert.equal(await statusOf('/watches/storms/unguessable.rss'), 200)
  assert.equal(await statusOf('/watches/storms/guessed.rss'), 404)
  assert.equal(await statusOf('/watches/storms/unguessable.rss', { 'X-API-Key': 'no' }), 401)
})
