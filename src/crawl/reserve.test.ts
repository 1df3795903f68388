import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Purpose } from '../telegram/source.ts'
import { HOUR, MINUTE, SECOND } from './policy.ts'
import { createReserve } from './reserve.ts'

describe('the reserve', () => {
  const takeAll = (reserve: ReturnType<typeof createReserve>, purpose: Purpose, now: number) => {
    let taken = 0
    while (taken < 10_000 && reserve.take(purpose, now, false)) taken++
    return taken
  }

  test('saves up for an hour at most, at 15 % of the rate', () => {
    const reserve = createReserve(1, 0)
    assert.equal(takeAll(reserve, 'gap', 0), 9)
    assert.equal(takeAll(reserve, 'gap', 21 * SECOND), 3)
    assert.equal(takeAll(reserve, 'gap', 10 * HOUR), 540)
  })

  test('keeps some for gaps that backfills, re-reads and discovery cannot take', () => {
    const reserve = createReserve(1, 0)
    for (const purpose of ['backfill', 'refresh', 'discovery'] as const) {
      assert.equal(takeAll(reserve, purpose, 0), 0)
    }
    assert.equal(takeAll(reserve, 'backfill', MINUTE), 9)
    assert.equal(takeAll(reserve, 'gap', MINUTE), 9)
    assert.equal(takeAll(reserve, 'backfill', 2 * MINUTE), 0, 'gaps come first')
    assert.ok(reserve.take('backfill', 2 * MINUTE, true), 'while nothing is due, as they like')
  })

  test('is never out of reach of a backfill, however low the rate', () => {
    const reserve = createReserve(0.01, 0)
    assert.ok(takeAll(reserve, 'backfill', HOUR) > 0)
  })
})
