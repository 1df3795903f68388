import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../search/contract/sample.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createCache } from './cache.ts'

test('a full cache evicts the least recently used entry', () => {
  const cache = createCache<string, number>({ maxEntries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3)
  assert.deepEqual([...cache.keys()], ['a', 'c'])
  assert.equal(cache.get('b'), undefined)
})

test('an entry expires by elapsed time, not by the wall clock', async () => {
  const clock = createManualClock(0)
  const cache = createCache<string, number>({ maxEntries: 9, maxAge: { ms: 100, clock } })
  cache.set('a', 1)
  cache.set('b', 2, clock.elapsed() - 60)
  await clock.advance(40)
  clock.set(1_000_000)
  assert.deepEqual([cache.get('a'), cache.get('b')], [1, undefined])
  await clock.advance(59)
  assert.equal(cache.get('a'), 1)
  await clock.advance(1)
  assert.equal(cache.get('a'), undefined)
})

test('the total size of all values is bounded, and a larger single value is not kept', () => {
  const maxBytes = { bytes: 10, of: (text: string) => text.length }
  const cache = createCache<number, string>({ maxEntries: 9, maxBytes })
  cache.set(1, 'four')
  cache.set(1, 'five5')
  cache.set(2, 'five5')
  assert.deepEqual([...cache.keys()], [1, 2])
  cache.set(3, 'x')
  assert.deepEqual([...cache.keys()], [2, 3])
  cache.set(4, 'more than ten')
  assert.deepEqual([...cache.keys()], [])
  cache.set(5, 'ten letters'.slice(1))
  assert.equal(cache.get(5)?.length, 10)
})

test('getOrMake makes a missing value once', () => {
  const cache = createCache<string, number>({ maxEntries: 2 })
  let made = 0
  const make = () => ++made
  assert.deepEqual([cache.getOrMake('a', make), cache.getOrMake('a', make)], [1, 1])
  cache.delete('a')
  assert.equal(cache.getOrMake('a', make), 2)
})

test('random calls leave the same entries in the same order as in a plain list', () => {
  const random = createRandom(7)
  const cache = createCache<number, string>({
    maxEntries: 6,
    maxBytes: { bytes: 20, of: (text) => text.length },
  })
  let list: (readonly [number, string])[] = []
  for (let round = 0; round < 20_000; round++) {
    const key = Math.floor(random() * 10)
    const found = list.find(([each]) => each === key)
    const others = list.filter(([each]) => each !== key)
    if (random() < 0.4) {
      assert.equal(cache.get(key), found?.[1])
      if (found) list = [...others, found]
    } else if (random() < 0.2) {
      cache.delete(key)
      list = others
    } else {
      const value = 'x'.repeat(random() * 9)
      cache.set(key, value)
      list = [...others, [key, value]]
      const size = () => list.reduce((sum, [, { length }]) => sum + length, 0)
      while (list.length > 6 || size() > 20) list.shift()
    }
    assert.deepEqual(
      [...cache.keys()],
      list.map(([each]) => each),
    )
  }
})
