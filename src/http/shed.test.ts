import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShedder, kindOf, MAX_FILES } from './shed.ts'

/** Enters as often as it is admitted. */
function fill(enter: () => () => void, most: number): (() => void)[] {
  const inside: (() => void)[] = []
  try {
    while (inside.length < most) inside.push(enter())
  } catch (error) {
    assert.match(String(error), /busy/)
  }
  return inside
}

test('after a refusal, only one request per thread is admitted while requests keep coming', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  const inside = fill(() => shedder.enter('other'), 100)
  assert.equal(inside.length, 16)
  // Requests keep coming, even after moments in which all were finished.
  for (let i = 0; i < 19; i++) {
    now += 100
    for (const leave of inside.splice(0)) leave()
    inside.push(...fill(() => shedder.enter('other'), 100))
    assert.equal(inside.length, 2)
  }
  assert.equal(shedder.inFlight, 2)
})

test('constant retries keep the limit low for at most ten seconds, until the next overload', (t) => {
  let now = 1_000
  let shed = 0
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 }, { requestShed: () => void shed++ })
  for (const leave of fill(() => shedder.enter('other'), 17)) leave()
  for (let i = 0; i < 199; i++) {
    now += 50
    for (const leave of fill(() => shedder.enter('other'), 3)) leave()
  }
  assert.equal(shed, 200)
  now += 50
  const inside = fill(() => shedder.enter('other'), 17)
  assert.equal(inside.length, 16)
  // That was the new overload.
  for (const leave of inside) leave()
  assert.equal(fill(() => shedder.enter('other'), 100).length, 2)
})

test('the full limit applies again once nobody has been refused for half a second', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  for (const leave of fill(() => shedder.enter('other'), 17)) leave()
  now += 499
  assert.equal(fill(() => shedder.enter('other'), 1).length, 1)
  now += 1
  assert.equal(fill(() => shedder.enter('other'), 100).length, 15)
})

test('files have a limit of their own that an overload does not lower', () => {
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  assert.equal(fill(() => shedder.enter('other'), 100).length, 16)
  assert.equal(fill(() => shedder.enter('file'), 1000).length, MAX_FILES)
  assert.equal(kindOf('/media/0123'), 'file')
  assert.equal(kindOf('/assets/0123/telegrep.js?x'), 'file')
  for (const other of [
    '/v1/search?q=/media/',
    '/media/../v1/search',
    '/media/%2e%2e/v1/search',
    '/assets/x\\..\\..\\v1/search',
    '/v1/search#/live',
  ])
    assert.equal(kindOf(other), 'other', other)
})

test('live reads have a limit of their own', () => {
  for (const live of ['/v1/channels/durov/live', '/channels/live/live/', '/v1/channels/x/live?q=1'])
    assert.equal(kindOf(live), 'live', live)
  for (const profile of [
    '/v1/channels/live',
    '/channels/live?q=1',
    '/v1/live',
    '/v1/channels//live',
  ])
    assert.equal(kindOf(profile), 'other', profile)
  using shedder = createShedder({ threads: 2, maxLive: 8 })
  assert.equal(fill(() => shedder.enter('live'), 100).length, 8)
  shedder.enter('other')()
  assert.equal(shedder.inFlight, 8)
})
