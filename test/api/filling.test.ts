import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexConsumer } from '../../src/store/changes.ts'
import { sampleReading } from '../../src/store/contract/samples.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'
import { makePost, startService } from './harness.ts'

test('answers report incomplete coverage while the index is first being filled', async () => {
  await using service = await startService()
  const at = service.clock.now()
  const post = (number: number) =>
    makePost({ number, publishedAt: at - 60_000, text: `The river rose ${number} times` })
  const channelId = await service.publish({ username: 'floods' }, [post(1)])
  const posts = Array.from({ length: 150 }, (_, i) => post(i + 1))
  await service.store.archive.record(sampleReading(channelId, { at, posts }))
  const coverage = async (path: string) => (await service.get(path)).json.meta.coverage
  const SEARCH = '/v1/search?q=river'
  const SPREAD = '/v1/channels/floods/posts/1/spread'
  for (const path of [SEARCH, SPREAD]) {
    const { complete, reason } = await coverage(path)
    assert.deepEqual([path, complete, reason], [path, false, 'filling'])
  }
  const { text } = await service.get(`${SEARCH}&format=md`)
  assert.match(
    text,
    /Not all of 1 post of 1 channel.* was searched: the index is still being filled/,
  )

  await service.index()
  service.pass(5_000)
  for (const path of [SEARCH, SPREAD]) {
    const { complete, reason } = await coverage(path)
    assert.deepEqual([path, complete, reason], [path, true, null])
  }
})

test('answers report incomplete coverage while an index that was out of use for a time is rebuilt', async () => {
  await using service = await startService()
  const { changes } = service.store
  const post = makePost({ number: 1, publishedAt: service.clock.now(), text: 'The river rose' })
  await service.publish({ username: 'floods' }, [post])
  const coverage = async () => {
    service.pass(5_000)
    const { complete, reason } = (await service.get('/v1/search?q=river')).json.meta.coverage
    return [complete, reason]
  }
  assert.deepEqual(await coverage(), [true, null])
  // Another version feeds an index of its own, and has removed this one after ten minutes of silence.
  const own = indexConsumer(ANALYZER_VERSION)
  await changes.register(indexConsumer(ANALYZER_VERSION + 1))
  await changes.unregister(own)
  assert.deepEqual(await coverage(), [false, 'filling'], 'nothing feeds it')
  await changes.register(own)
  assert.deepEqual(await coverage(), [false, 'filling'], 'its rebuild is due')
  service.pass(60_000)
  await service.index()
  assert.deepEqual(await coverage(), [true, null])
})

test('answers report incomplete coverage while a complete index catches up after an outage', async () => {
  await using service = await startService()
  const { changes, archive } = service.store
  const at = service.clock.now()
  const post = (number: number) =>
    makePost({ number, publishedAt: at - 60_000, text: `The river rose ${number} times` })
  const channelId = await service.publish({ username: 'floods' }, [post(1)])
  // Feeding it again after another version has makes it complete.
  await changes.register(indexConsumer(ANALYZER_VERSION + 1))
  await changes.unregister(indexConsumer(ANALYZER_VERSION))
  service.pass(60_000)
  await service.index()
  assert.equal((await service.ctx.index.state()).complete, true)

  const posts = Array.from({ length: 150 }, (_, i) => post(i + 1))
  await archive.record(sampleReading(channelId, { at: service.clock.now(), posts }))
  const SEARCH = '/v1/search?q=river'
  const SPREAD = '/v1/channels/floods/posts/1/spread'
  const coverage = async (path: string) => {
    const { complete, reason } = (await service.get(path)).json.meta.coverage
    return [complete, reason]
  }
  service.pass(5_000)
  for (const path of [SEARCH, SPREAD])
    assert.deepEqual(await coverage(path), [true, null], `${path}, on their way`)
  service.pass(3_600_000)
  for (const path of [SEARCH, SPREAD])
    assert.deepEqual(await coverage(path), [false, 'filling'], `${path}, an hour later`)
  assert.match(
    (await service.get(`${SEARCH}&format=md`)).text,
    /Not all of 1 post of 1 channel.* was searched/,
  )
  await service.index()
  service.pass(5_000)
  for (const path of [SEARCH, SPREAD]) assert.deepEqual(await coverage(path), [true, null], path)
})

test('a few posts not yet indexed make coverage incomplete only once they have waited for a minute', async () => {
  await using service = await startService()
  const at = service.clock.now()
  const posts = Array.from({ length: 31 }, (_, i) =>
    makePost({ number: i + 1, publishedAt: at - 60_000, text: `The river rose ${i} times` }),
  )
  const channelId = await service.publish({ username: 'floods' }, posts.slice(0, 30))
  await service.store.archive.record(sampleReading(channelId, { at, posts }))
  const reason = async () =>
    (await service.get('/v1/search?q=river')).json.meta.coverage.reason as string | null
  assert.equal(await reason(), null)
  service.pass(60_000)
  assert.equal(await reason(), 'filling')
})
