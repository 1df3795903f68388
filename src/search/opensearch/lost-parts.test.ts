import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentOf, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { plainSearch } from '../contract/sample.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'
import { EVERY_POST } from '../terms.ts'
import { expectOk } from './client.ts'
import { indicesOf } from './generation.ts'

describe('a writer whose indices others changed', { skip: whyNoEngines() ?? false }, () => {
  test('detects a deleted index, and searches are refused until it is rebuilt', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search, index, pass } = world
    const first = await openIndexWriter(location, clock)
    await first.apply({
      puts: [documentOf(1), documentOf(2, OLDER)],
    })
    await client.request({ method: 'DELETE', path: `/${names.week(1, WEEK)}` })
    await assert.rejects(first.apply({ puts: [documentOf(3)] }), /refuses a document/)
    pass(30_000)
    await assert.rejects(first.check(), /-g1-\d+ is gone/)
    await first[Symbol.asyncDispose]()
    const told: string[] = []
    const options = {
      isExpected: true,
      onDamaged: (why: string | null) => told.push(String(why)),
    }
    await using second = await openIndexWriter(location, clock, options)
    assert.equal(told.length, 1)
    pass(1_000)
    await assert.rejects(search(), { code: 'unavailable', retryAfterS: 5 })
    assert.match((await index.state()).problem!, /no index was there that could be used/)
    await using next = await second.startGeneration(0)
    await next.apply({ puts: [documentOf(1)] })
    await next.swap()
    pass(1_000)
    assert.deepEqual(await search(), [1])
    assert.equal((await index.state()).problem, null)
  })

  test('gives the search alias back to an index that lost it', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1), documentOf(2, OLDER)] })
    const path = `/${names.week(1, WEEK)}/_alias/${names.alias}`
    await client.request({ method: 'DELETE', path })
    assert.deepEqual(await search(), [2])
    await writer.expire(clock.now() - WINDOW_MS)
    assert.deepEqual(await search(), [1, 2])
  })

  test('removes nothing while an index is closed, and all of it once it is open', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1), documentOf(2, OLDER), documentOf(3, OLDER)] })
    const put = (what: '_close' | '_open') =>
      client.request({ method: 'POST', path: `/${names.week(1, WEEK - 1)}/${what}` })
    for (const batch of [{ removals: [documentOf(2)] }, { removedChannels: [1] }]) {
      await put('_close')
      await assert.rejects(writer.apply(batch), /index_closed_exception/)
      await put('_open')
      await writer.apply(batch)
      assert.deepEqual(await search(), 'removals' in batch ? [1, 3] : [])
    }
  })

  test('detects that the index of channels was deleted', async () => {
    await using world = await setUp()
    const { location, clock, client, names, pass } = world
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1)] })
    await client.request({ method: 'DELETE', path: `/${names.channels}` })
    pass(30_000)
    await assert.rejects(writer.check(), /-channels is gone/)
  })

  test('a search that the engine refuses is refused as unavailable, not as a bug', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1)] })
    const stranger = `${location.prefix}-stranger`
    // Its mapping makes other terms of what frequencies are asked for.
    const body = { mappings: { properties: { k: { type: 'text', analyzer: 'simple' } } } }
    await client.request({ method: 'PUT', path: `/${stranger}`, body })
    const doc = { k: EVERY_POST }
    await client.request({ method: 'PUT', path: `/${stranger}/_doc/1?refresh=true`, body: doc })
    const actions = [
      { remove: { index: names.week(1, WEEK), alias: names.alias } },
      { add: { index: stranger, alias: names.alias } },
    ]
    expectOk(await client.request({ method: 'POST', path: '/_aliases', body: { actions } }))
    await assert.rejects(search(), {
      code: 'unavailable',
      message: /OpenSearch refuses/,
      extra: { reason: 'index_unavailable' },
    })
    await client.request({ method: 'DELETE', path: `/${stranger}` })
  })

  test('starts anew if its metadata was deleted, and leaves no old index behind', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    for (let i = 1; i <= 3; i++) {
      await using writer = await openIndexWriter(location, clock)
      await using next = await writer.startGeneration(0)
      await next.apply({ puts: [documentOf(i)] })
      await next.swap()
    }
    await client.request({ method: 'DELETE', path: `/${names.meta}` })
    await using writer = await openIndexWriter(location, clock)
    assert.deepEqual(await indicesOf(client, names.weeks('*')), [])
    await writer.apply({ puts: [documentOf(7)] })
    assert.deepEqual(await search(), [7])
  })

  test('numbers of subscribers are read anew after its metadata was deleted', async () => {
    await using world = await setUp()
    const { location, clock, client, names, index, pass } = world
    const filters = { ...plainSearch(clock.now(), {}).filters, minSubscribers: 100 }
    const found = async () => {
      const { hits } = await index.search(plainSearch(clock.now(), { filters }))
      return hits.map(({ channelId }) => channelId).sort((a, b) => a - b)
    }
    for (const all of [[1], [2, 3]]) {
      await using writer = await openIndexWriter(location, clock)
      for (const channelId of all)
        await writer.apply({ puts: [documentOf(channelId, { channelId, subscribers: 200 })] })
      pass(1_000)
      assert.deepEqual(await found(), all)
      await client.request({ method: 'DELETE', path: `/${names.meta}` })
    }
  })
})
