import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, NOW, postOf, setUp } from '../../test/indexed-channel.ts'
import { createManualClock } from '../simulator/clocks.ts'

test('a clock that is ahead drops nothing from the index, nor leaves anything out of it', async () => {
  const clock = createManualClock(NOW)
  const { record, find, index, indexer } = await setUp(clock)
  await record([postOf(1, 'The roses are in bloom', 1), postOf(2, 'Tulips all over', 29)])
  await indexer.drain()
  for (const days of [20, 400]) {
    clock.set(NOW + days * DAY)
    await record([postOf(days, 'Lilies by the lake', 15), postOf(days + 1, 'An old oak', 45)])
    await indexer.drain()
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    for (let i = 0; i < 350; i++) await clock.advance(200)
    stop.abort(new Error('over'))
    await running
    await indexer.rebuild(new AbortController().signal)
  }
  assert.equal((await index.state()).posts, 4)
  clock.set(NOW)
  const found = await Promise.all(['rose', 'tulip', 'lily', 'oak'].map(find))
  assert.deepEqual(found, [[1], [2], [400, 20], []])
})
