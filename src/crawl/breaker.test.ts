import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../simulator/clocks.ts'
import { createBreaker } from './breaker.ts'
import { HOUR, SECOND } from './policy.ts'

test('a breaker closes after its pause, also when the clock was set back', async () => {
  const clock = createManualClock(HOUR)
  const pauses: number[] = []
  const breaker = createBreaker(clock, (until) => pauses.push(until - clock.now()))
  for (let i = 0; i < 8; i++) breaker.note(true)
  assert.deepEqual(pauses, [30 * SECOND])
  clock.set(0)
  await clock.advance(30 * SECOND - 1)
  assert.ok(breaker.isOpen())
  await clock.advance(1)
  assert.equal(breaker.isOpen(), false)
  assert.ok(breaker.isHalfOpen())
  breaker.note(true)
  assert.deepEqual(pauses, [30 * SECOND, 60 * SECOND])
  await clock.advance(60 * SECOND)
  breaker.note(false)
  assert.equal(breaker.isHalfOpen(), false)
})
