import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import { newSchedule, type Schedule } from '../store/frontier.ts'
import {
  POLICY,
  raisePrice,
  intervalMs,
  isSilent,
  updateRates,
  planNext,
  rateOf,
  solvePricing,
  weightOf,
  type Priced,
} from './policy.ts'
import { planRetry } from './failures.ts'

const NOW = Date.UTC(2026, 8, 1)

/** A channel that has posted evenly at this rate for a month. */
function steady(perDay: number): Schedule {
  const publishedAt = Array.from(
    { length: 30 * perDay },
    (_, i) => NOW - ((i + 0.5) * DAY_MS) / perDay,
  )
  return updateRates(newSchedule(NOW - 30 * DAY_MS), {
    at: NOW,
    since: NOW - 30 * DAY_MS,
    publishedAt,
  })
}

const priced = (s: Schedule): Priced => ({ ...s, subscribers: null })

describe('policy', () => {
  test('estimates the posting rate from a single reading', () => {
    assert.ok(Math.abs(rateOf(steady(10)) - 10) < 2)
    assert.ok(Math.abs(rateOf(steady(100)) - 100) < 10)
  })

  test('visits twice as often at four times the rate', () => {
    const pricing = { price: 0.1, maxIntervalMs: 7 * DAY_MS }
    const at = (rate: number) => ({
      ...priced(newSchedule(0)),
      seen: rate * 1e6,
      exposureDays: 1e6,
      seenFast: rate * 1e6,
      exposureFastDays: 1e6,
    })
    const slow = intervalMs(at(4), pricing)
    assert.ok(Math.abs(slow / intervalMs(at(16), pricing) - 2) < 0.01)
  })

  test('gives more weight to channels with more subscribers or more demand', () => {
    assert.ok(Math.abs(weightOf(null, 0) - 1) < 1e-9)
    assert.ok(Math.abs(weightOf(999_999_999, 0) - 4) < 1e-6)
    assert.ok(weightOf(0, 10) > weightOf(0, 0))
  })

  test('notices a burst at the next visit and forgets it within hours', () => {
    const calm = steady(2)
    const at = NOW + HOUR_MS
    const burst = Array.from({ length: 12 }, (_, i) => at - i * MINUTE_MS)
    const excited = updateRates(calm, { at, since: NOW, publishedAt: burst })
    assert.ok(rateOf(excited) > 5 * rateOf(calm))
    const later = updateRates(excited, { at: at + 12 * HOUR_MS, since: at, publishedAt: [] })
    assert.ok(rateOf(later) < 4 * rateOf(calm))
  })

  test('sets the price so that the visits fill the budget', () => {
    const sample = [1, 2, 5, 20, 100, 400].map((rate) => priced(steady(rate)))
    const pricing = solvePricing(sample, 600, { requestsPerDay: 6_000 })
    const visits = sample.reduce((sum, s) => sum + DAY_MS / intervalMs(s, pricing), 0) * 100
    assert.ok(visits > 5_000 && visits <= 6_100, `${visits} visits a day`)
  })

  test('at most quadruples the price, and so doubles the intervals, in a passing shortage', () => {
    const sample = [1, 5, 20].map((rate) => priced(steady(rate)))
    const usual = solvePricing(sample, 300, { requestsPerDay: 3_000 })
    const short = solvePricing(sample, 300, { requestsPerDay: 300, usualPerDay: 3_000 })
    assert.ok(Math.abs(short.price / usual.price - 4) < 1e-6)
  })

  test('visits every channel each minute when there is budget to spare', () => {
    const sample = [0.1, 1, 50].map((rate) => priced(steady(Math.ceil(rate))))
    const pricing = solvePricing(sample, 3, { requestsPerDay: 86_400 })
    for (const s of sample) assert.equal(intervalMs(s, pricing), MINUTE_MS)
  })

  test('keeps every interval within the bound, and spends at most 30 % of the budget on the bound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (rates, perDay, random) => {
          const sample = rates.map((rate) => priced(steady(rate)))
          const pricing = solvePricing(sample, sample.length, { requestsPerDay: perDay })
          assert.ok(sample.length / (pricing.maxIntervalMs / DAY_MS) <= 0.3 * perDay + 1e-6)
          for (const s of sample) {
            const plan = planNext(s as unknown as Schedule, null, { at: NOW, pricing, random })
            const wait = plan.nextVisitAt - NOW
            const longest = isSilent(s)
              ? Math.max(pricing.maxIntervalMs, POLICY.silentMaxIntervalMs)
              : pricing.maxIntervalMs
            assert.ok(wait >= MINUTE_MS && wait <= longest + 1)
            assert.ok(plan.earliestVisitAt - NOW <= 2 * MINUTE_MS)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('raises the price when the queue is late, at most fivefold', () => {
    const pricing = { price: 1, maxIntervalMs: DAY_MS }
    assert.equal(raisePrice(pricing, 0, HOUR_MS).price, 1)
    assert.equal(raisePrice(pricing, HOUR_MS, HOUR_MS).price, 2)
    assert.equal(raisePrice(pricing, 100 * DAY_MS, HOUR_MS).price, 5)
  })

  test('retries passing failures within seconds and unknown names after days, with back-off', () => {
    const waits = (kind: 'passing' | 'nobody', fails: number) =>
      planRetry({ ...newSchedule(0), fails }, { kind, name: 'x', at: 0 }, 0.999).nextVisitAt
    assert.ok(waits('passing', 0) <= 30 * SECOND_MS)
    assert.ok(waits('passing', 3) > 200 * SECOND_MS)
    assert.ok(waits('passing', 60) <= DAY_MS)
    assert.ok(waits('nobody', 0) > 0.8 * DAY_MS)
    assert.ok(waits('nobody', 9) <= 30 * DAY_MS)
  })
})
