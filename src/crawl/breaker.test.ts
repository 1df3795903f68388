import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, SECOND_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { createBreaker } from './breaker.ts'

test('a breaker becomes half-open after its pause, even if the clock was set back', async () => {
  const clock = createManualClock(HOUR_MS)
  const pauses: number[] = []
  const breaker = createBreaker(clock, (until) => pauses.push(until - clock.now()))
  for (let i = 0; i < 8; i++) breaker.note(true)
  assert.deepEqual(pauses, [30 * SECOND_MS])
  clock.set(0)
  await clock.advance(30 * SECOND_MS - 1)
  assert.ok(breaker.isOpen())
  await clock.advance(1)
  assert.equal(breaker.isOpen(), false)
  assert.ok(breaker.isHalfOpen())
  breaker.note(true)
  assert.deepEqual(pauses, [30 * SECOND_MS, 60 * SECOND_MS])
  await clock.advance(60 * SECOND_MS)
  breaker.note(false)
  assert.equal(breaker.isHalfOpen(), false)
})
