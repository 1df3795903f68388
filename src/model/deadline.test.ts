import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../simulator/clocks.ts'
import { startDeadline } from './deadline.ts'

test('a deadline aborts when its time is over, and not after it was disposed of', async () => {
  const clock = createManualClock(0)
  const late = startDeadline(clock, 1_000, 'nobody answered')
  const done = startDeadline(clock, 1_000)
  done[Symbol.dispose]()
  await clock.advance(999)
  assert.equal(late.signal.aborted, false)
  await clock.advance(1)
  assert.equal((late.signal.reason as Error).message, 'nobody answered')
  assert.equal(done.signal.aborted, false)
})
