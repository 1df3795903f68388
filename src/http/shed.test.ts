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

test('the first rush is let in, a crowd is not', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  const inside = fill(() => shedder.enter('other'), 100)
  assert.equal(inside.length, 16)
  // More keep coming: they are let in one for one, also after a moment in which all were done with.
  for (let i = 0; i < 50; i++) {
    now += 100
    for (const leave of inside.splice(0)) leave()
    inside.push(...fill(() => shedder.enter('other'), 100))
    assert.equal(inside.length, 4)
  }
  assert.equal(shedder.inFlight, 4)
})

test('a rush now and then is let in as a whole', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  for (let i = 0; i < 10; i++) {
    const inside = fill(() => shedder.enter('other'), 12)
    assert.equal(inside.length, 12)
    now += 501
    for (const leave of inside) leave()
  }
})

test('live reads have a bound of their own', () => {
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  assert.equal(fill(() => shedder.enter('live'), 100).length, 8)
  shedder.enter('other')()
  assert.equal(shedder.inFlight, 8)
})
