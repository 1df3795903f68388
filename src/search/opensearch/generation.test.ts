import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentOf, NOW, OLDER, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { openProxy } from '../../../test/cutting-proxy.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { BUCKET_S } from '../bucket.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'
import { indicesOf } from './generation.ts'

const skip = whyNoEngines() ?? false

describe('generations on a cluster: a writer', { skip }, () => {
  test('completes the swap of a generation that another writer died in', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    const first = await openIndexWriter(location, clock)
    await first.apply({ puts: [documentOf(1)] })
    const next = await first.startGeneration(3)
    await next.apply({ puts: [documentOf(2)] })
    await next.swap()
    // As if the writer had died before the alias was moved.
    const [old, fresh] = [names.week(1, WEEK), names.week(2, WEEK)]
    const { alias } = names
    const actions = [{ add: { index: old, alias } }, { remove: { index: fresh, alias } }]
    await client.request({ method: 'POST', path: '/_aliases', body: { actions } })
    assert.deepEqual(await search(), [1])
    await using second = await openIndexWriter(location, clock)
    assert.deepEqual(await search(), [2])
    assert.deepEqual(await indicesOf(client, names.weeks('*')), [fresh])
    const { generation, complete } = await second.state()
    assert.deepEqual([generation, complete], [2, true])
    await first[Symbol.asyncDispose]()
  })

  for (const [what, path, fate] of [
    ['whose alias could not be moved', '/_aliases', 'cut'],
    ['whose alias was moved without a response', '/_aliases', 'cut the answer'],
    ['whose record was made without a response', '/_doc/', 'cut the answer'],
  ] as const) {
    test(`loses no post that is written after a swap ${what}`, async () => {
      await using world = await setUp()
      const { location, clock, search } = world
      let isCutting = false
      await using between = await openProxy(location.nodes[0]!, ({ method, url = '' }) =>
        isCutting && method !== 'GET' && url.includes(path) ? fate : 'pass',
      )
      await using first = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
      await first.apply({ puts: [documentOf(1)] })
      const next = await first.startGeneration(0)
      await next.apply({ puts: [documentOf(1)] })
      isCutting = true
      await assert.rejects(next.swap(), { code: 'unavailable' })
      isCutting = false
      const disposed = await Promise.allSettled([next[Symbol.asyncDispose]()])
      const isInDoubt = disposed[0].status === 'rejected'
      assert.equal(isInDoubt, path === '/_doc/')
      await using second = isInDoubt ? await openIndexWriter(location, clock) : undefined
      const writer = second ?? first
      await writer.apply({ puts: [documentOf(1), documentOf(2)] })
      await writer.expire(NOW - WINDOW_MS)
      assert.deepEqual(await search(), [1, 2])
      await writer.apply({ puts: [documentOf(3)] })
      assert.deepEqual(await search(), [1, 2, 3])
    })
  }

  test('records a new week again if that failed', async () => {
    await using world = await setUp()
    const { location, clock, search, pass } = world
    let isWeekMade = false
    await using between = await openProxy(location.nodes[0]!, ({ method, url = '' }) => {
      isWeekMade ||= method === 'PUT' && url.includes(`-g1-${WEEK - 3}`)
      return isWeekMade && url.includes('/_doc/') ? 'cut' : 'pass'
    })
    const first = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await first.apply({ puts: [documentOf(1)] })
    const weeksAgo = documentOf(2, { publishedAt: NOW - 21 * 86_400_000 })
    await assert.rejects(first.apply({ puts: [weeksAgo] }))
    assert.ok(isWeekMade)
    await first[Symbol.asyncDispose]()
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [weeksAgo] })
    pass(30_000)
    await writer.check()
    assert.deepEqual(await search(), [1, 2])
  })

  test('makes a new week searchable at once though another writer died as it created it', async () => {
    await using world = await setUp()
    const { location, clock, search } = world
    let isWeekMade = false
    const between = await openProxy(location.nodes[0]!, ({ method, url = '' }) => {
      isWeekMade ||= method === 'PUT' && !url.slice(1).includes('/') && url.includes('-g1-')
      return isWeekMade && url.includes('/_doc/') ? 'cut' : 'pass'
    })
    const first = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await assert.rejects(first.apply({ puts: [documentOf(1)] }), { code: 'unavailable' })
    assert.ok(isWeekMade)
    await between[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
    await using second = await openIndexWriter(location, clock)
    await second.apply({ puts: [documentOf(1)] })
    assert.deepEqual(await search(), [1])
  })

  test('resumes a half-filled generation of another writer if it received every change since', async () => {
    await using world = await setUp()
    const { location, clock, index, search } = world
    const first = await openIndexWriter(location, clock)
    await first.apply({ puts: [documentOf(1)] })
    const begun = await first.startGeneration(3, { mayResume: true })
    assert.equal(begun.reached, undefined)
    await begun.apply({ puts: [documentOf(1)] })
    await begun.reach!({ channelId: 1, number: 1 })
    assert.equal((await index.state()).rebuilding, true)
    await using second = await openIndexWriter(location, clock)
    assert.equal((await second.state()).rebuilding, true)
    const resumed = await second.startGeneration(9, { mayResume: true })
    assert.deepEqual(resumed.reached, { channelId: 1, number: 1 })
    await resumed.apply({ puts: [documentOf(2)] })
    await resumed.swap()
    await resumed[Symbol.asyncDispose]()
    assert.deepEqual(await search(), [1, 2])
    const { generation, rebuilding } = await second.state()
    assert.deepEqual([generation, rebuilding], [2, false])
    {
      await using left = await second.startGeneration(9)
      await left.reach!({ channelId: 1, number: 1 })
    }
    await second.apply({ puts: [documentOf(3)] })
    await using anew = await second.startGeneration(9, { mayResume: true })
    assert.equal(anew.reached, undefined, 'it was not told of the third')
    await first[Symbol.asyncDispose]()
  })

  test('starts anew instead of a half-filled generation that lost a week', async () => {
    await using world = await setUp()
    const { location, clock, client, names } = world
    await using writer = await openIndexWriter(location, clock)
    {
      await using next = await writer.startGeneration(0, { mayResume: true })
      await next.apply({ puts: [documentOf(1), documentOf(2, OLDER)] })
      await next.reach!({ channelId: 1, number: 2 })
    }
    const [old] = await indicesOf(client, names.weeks(2))
    await client.request({ method: 'DELETE', path: `/${old}` })
    await using again = await writer.startGeneration(0, { mayResume: true })
    assert.equal(again.reached, undefined)
  })

  test('deletes a week that is over at the next attempt if the first one fails', async () => {
    await using world = await setUp()
    const { location, clock, client, names } = world
    let isCutting = false
    await using between = await openProxy(location.nodes[0]!, ({ method }) =>
      isCutting && method === 'DELETE' ? 'cut' : 'pass',
    )
    await using writer = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await writer.apply({ puts: [documentOf(1), documentOf(2, OLDER)] })
    const weekBegan = WEEK * BUCKET_S * 1000
    isCutting = true
    await assert.rejects(writer.expire(weekBegan), { code: 'unavailable' })
    isCutting = false
    await writer.expire(weekBegan)
    assert.deepEqual(await indicesOf(client, names.weeks(1)), [names.week(1, WEEK)])
  })

  test('knows while the cluster is away that a generation can be resumed', async () => {
    await using world = await setUp()
    const { location, clock } = world
    let isAway = false
    await using between = await openProxy(location.nodes[0]!, () => (isAway ? 'cut' : 'pass'))
    await using writer = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    const next = await writer.startGeneration(0, { mayResume: true })
    await next.reach!({ channelId: 1, number: 1 })
    isAway = true
    await assert.rejects(next.reach!({ channelId: 1, number: 2 }), { code: 'unavailable' })
    await assert.rejects(
      async () => next[Symbol.asyncDispose](),
      /may be lost: .* cannot be reached/,
    )
    assert.equal((await writer.state()).rebuilding, true)
    isAway = false
  })
})
