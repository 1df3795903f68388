import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Purpose } from '../telegram/source.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { HOUR, MINUTE, SECOND } from './policy.ts'
import { createReserve } from './reserve.ts'

describe('the reserve', () => {
  const open = (ratePerS: number) => {
    let elapsed = 0
    const reserve = createReserve(ratePerS, { elapsed: () => elapsed })
    const take = (purpose: Purpose, at: number, isIdle: boolean) => {
      elapsed = at
      return reserve.take(purpose, isIdle)
    }
    const takeAll = (purpose: Purpose, at: number) => {
      let taken = 0
      while (taken < 10_000 && take(purpose, at, false)) taken++
      return taken
    }
    return { take, takeAll }
  }

  test('saves up for an hour at most, at 15 % of the rate', () => {
    const reserve = open(1)
    assert.equal(reserve.takeAll('gap', 0), 9)
    assert.equal(reserve.takeAll('gap', 21 * SECOND), 3)
    assert.equal(reserve.takeAll('gap', 10 * HOUR), 540)
  })

  test('keeps some for gaps that backfills, re-reads and discovery cannot take', () => {
    const reserve = open(1)
    for (const purpose of ['backfill', 'refresh', 'discovery'] as const) {
      assert.equal(reserve.takeAll(purpose, 0), 0)
    }
    assert.equal(reserve.takeAll('backfill', MINUTE), 9)
    assert.equal(reserve.takeAll('gap', MINUTE), 9)
    assert.equal(reserve.takeAll('backfill', 2 * MINUTE), 0, 'gaps come first')
    assert.ok(reserve.take('backfill', 2 * MINUTE, true), 'while nothing is due, as they like')
  })

  test('loses nothing when the clock is set back', () => {
    const clock = createManualClock(0)
    const reserve = createReserve(1, clock)
    clock.set(-HOUR)
    assert.ok(reserve.take('gap', false))
    assert.equal(reserve.usedLately(), 1)
  })

  test('is never out of reach of a backfill, however low the rate', () => {
    const reserve = open(0.01)
    assert.ok(reserve.takeAll('backfill', HOUR) > 0)
  })
})
