import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createManualClock } from '../simulator/clocks.ts'
import { createSteadyClock } from './steady-clock.ts'

const START = Date.UTC(2026, 8, 1)
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

function open() {
  const base = createManualClock(START)
  return { base, clock: createSteadyClock(base) }
}

describe('a steady clock', () => {
  test('shows the base clock’s time and follows small corrections', async () => {
    const { base, clock } = open()
    await base.advance(3 * DAY)
    assert.equal(clock.now(), START + 3 * DAY)
    base.set(START + 3 * DAY - 2 * HOUR)
    assert.equal(clock.now(), START + 3 * DAY - 2 * HOUR)
    assert.equal(clock.fault(), null)
  })

  test('ignores ten seconds of another year', async () => {
    for (const leap of [400 * DAY, -400 * DAY]) {
      const { base, clock } = open()
      base.set(START + leap)
      assert.equal(clock.now(), START)
      assert.deepEqual(clock.fault(), { kind: 'leapt', aheadMs: leap })
      await base.advance(10 * SECOND)
      assert.equal(clock.now(), START + 10 * SECOND)
      base.set(START + 10 * SECOND)
      assert.equal(clock.now(), START + 10 * SECOND)
      assert.equal(clock.fault(), null)
    }
  })

  test('shows whole milliseconds even while it distrusts the base clock', async () => {
    const { base, clock } = open()
    base.set(START + 400 * DAY)
    await base.advance(10.4)
    assert.equal(clock.now(), START + 10)
  })

  test('accepts a leap when the platform tells the same time', async () => {
    const { base, clock } = open()
    clock.observe(START)
    base.set(START + 3 * DAY)
    assert.equal(clock.now(), START)
    clock.observe(START + 3 * DAY + HOUR)
    assert.equal(clock.now(), START + 3 * DAY)
    assert.equal(clock.isConfirmed(), true)
  })

  test('accepts an uncontradicted leap after an hour, and never one that the platform contradicts', async () => {
    const { base, clock } = open()
    base.set(START + 3 * DAY)
    assert.equal(clock.now(), START)
    await base.advance(HOUR)
    assert.equal(clock.now(), START + 3 * DAY + HOUR)
    base.set(START + 400 * DAY)
    clock.now()
    clock.observe(START + 3 * DAY + HOUR)
    await base.advance(2 * HOUR)
    assert.equal(clock.now(), START + 3 * DAY + 3 * HOUR)
  })

  test('reports a clock that was wrong from the start as contradicted, until it is corrected', () => {
    const { base, clock } = open()
    clock.observe(START - 400 * DAY)
    assert.deepEqual(clock.fault(), { kind: 'contradicted', aheadMs: 400 * DAY })
    assert.equal(clock.isConfirmed(), false)
    base.set(START - 400 * DAY)
    assert.equal(clock.now(), START - 400 * DAY)
    assert.equal(clock.fault(), null)
  })
})
