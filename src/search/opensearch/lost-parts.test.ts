import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { documentOf, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { indicesOf } from './generation.ts'

describe('a writer whose indices others changed', { skip: whyNoEngines() ?? false }, () => {
  // A writer that is meant to count as dead must not send a heartbeat on a slow machine.
  before(() => mock.timers.enable({ apis: ['setInterval'] }))
  after(() => mock.timers.reset())

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
    const { location, clock, client, names, search, pass } = world
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1), documentOf(2, OLDER)] })
    const path = `/${names.week(1, WEEK)}/_alias/${names.alias}`
    await client.request({ method: 'DELETE', path })
    assert.deepEqual(await search(), [2])
    pass(30_000)
    await writer.check()
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
})
