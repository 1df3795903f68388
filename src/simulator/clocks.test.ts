import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLateClock, createStillClock } from './clocks.ts'

test('a late clock runs fast until it has caught up, then follows the wall clock', () => {
  const wall = createStillClock(1_000_000)
  const clock = createLateClock({ behindMs: 6_000, speed: 61 }, wall)
  assert.equal(clock.now(), 994_000)
  wall.pass(50)
  assert.equal(clock.now(), 997_050)
  wall.pass(50)
  assert.equal(clock.now(), 1_000_100)
  wall.pass(500)
  assert.equal(clock.now(), 1_000_600)
})
