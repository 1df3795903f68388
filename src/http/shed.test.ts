import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShedder } from './shed.ts'

/** Lets in as many as it will. */
function fill(enter: () => () => void, most: number): (() => void)[] {
  const inside: (() => void)[] = []
  try {
    while (inside.length < most) inside.push(enter())
  } catch (error) {
    assert.match(String(error), /busy/)
  }
  return inside
}

test('a burst is let in, a crowd is not, and once it has gone a burst is again', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  const burst = fill(() => shedder.enter('other'), 100)
  assert.equal(burst.length, 32)
  now += 100
  // They were not done with soon: until few are left, one may come for one that goes.
  for (const leave of burst.splice(7)) leave()
  assert.equal(fill(() => shedder.enter('other'), 100).length, 1)
  assert.equal(shedder.inFlight, 8)
})

test('requests that come as fast as they are served are never a crowd', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  for (let i = 0; i < 1_000; i++) {
    const inside = fill(() => shedder.enter('other'), 20)
    assert.equal(inside.length, 20)
    now += 50
    for (const leave of inside) leave()
  }
})

test('live reads have a bound of their own', () => {
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  assert.equal(fill(() => shedder.enter('live'), 100).length, 8)
  shedder.enter('other')()
  assert.equal(shedder.inFlight, 8)
})
