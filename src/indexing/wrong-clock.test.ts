import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, NOW, postOf, setUp } from '../../test/indexed-channel.ts'
import { createManualClock } from '../simulator/clocks.ts'

test('after a wrong clock is corrected the index refills itself, and a clock a year ahead does not empty it', async () => {
  const clock = createManualClock(NOW)
  const { record, find, index, indexer } = await setUp(clock)
  const stop = new AbortController()
  await record([postOf(1, 'The roses are in bloom', 1), postOf(2, 'Tulips all over', 15)])
  const running = indexer.run(stop.signal)
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds * 5; i++) await clock.advance(200)
  }
  await pass(70)
  assert.deepEqual(await find('rose'), [1])
  clock.set(NOW + 20 * DAY)
  await pass(70)
  assert.equal((await index.state()).posts, 1)
  clock.set(NOW + 400 * DAY)
  await pass(70)
  assert.equal((await index.state()).posts, 1)
  clock.set(NOW + 220_000)
  await pass(130)
  assert.deepEqual(await find('rose'), [1])
  assert.deepEqual(await find('tulip'), [2])
  stop.abort(new Error('over'))
  await running
})

for (const isRebuilt of [false, true])
  test(`what was left out as posts were ${isRebuilt ? 'put into a new index' : 'indexed'} by a clock that was ahead comes back`, async () => {
    const clock = createManualClock(NOW)
    const { record, find, index, indexer } = await setUp(clock)
    const { signal } = new AbortController()
    await indexer.rebuild(signal)
    await record([postOf(1, 'The roses are in bloom', 1), postOf(2, 'Tulips all over', 15)])
    if (isRebuilt) await indexer.drain()
    clock.set(NOW + 20 * DAY)
    await (isRebuilt ? indexer.rebuild(signal) : indexer.drain())
    assert.equal((await index.state()).posts, 1)
    clock.set(NOW)
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    for (let i = 0; i < 10; i++) await clock.advance(200)
    assert.deepEqual([await find('rose'), await find('tulip')], [[1], [2]])
    stop.abort(new Error('over'))
    await running
  })

test('a clock behind all posts builds no new index', async () => {
  const clock = createManualClock(NOW)
  const { record, index, indexer } = await setUp(clock)
  await record([postOf(1, 'The roses are in bloom', 1), postOf(2, 'A very old oak', 90)])
  await indexer.rebuild(new AbortController().signal)
  const { generation } = await index.state()
  clock.set(NOW - 300 * DAY)
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  for (let i = 0; i < 10; i++) await clock.advance(200)
  assert.equal((await index.state()).generation, generation)
  stop.abort(new Error('over'))
  await running
})
