import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '../store.ts'
import { HOUR, MINUTE, NOON, type OpenStore } from './samples.ts'

export function describeBudget(open: OpenStore): void {
  describe('budget', () => {
    for (const ratePerS of [1, 0.1, 5]) {
      test(`no second has more than ${ratePerS} + 3 requests, no minute more than ${ratePerS * 60}`, async () => {
        const { store } = await open()
        const granted = await spendGreedily(store, ratePerS, NOON, 2 * MINUTE)
        assert.ok(mostIn(granted, 1000) <= ratePerS + 3)
        assert.ok(mostIn(granted, MINUTE) <= ratePerS * 60)
        const share = granted.length / (2 * ratePerS * 60)
        assert.ok(share > 0.75, `${share} of the budget can be used`)
      })
    }

    test('asking again after the wait is granted', async () => {
      const { store } = await open()
      let now = NOON
      for (let i = 0; i < 10; i++) {
        const { waitMs } = await store.budget.take({ share: 'crawl', ratePerS: 1, now })
        if (waitMs > 0) {
          now += waitMs
          const again = await store.budget.take({ share: 'crawl', ratePerS: 1, now })
          assert.equal(again.waitMs, 0)
        }
      }
    })

    test('live reads have a fifth of an hour', async () => {
      const { store } = await open()
      let live = 0
      for (let now = NOON; now < NOON + HOUR; now += 2000) {
        const { waitMs } = await store.budget.take({ share: 'live', ratePerS: 0.1, now })
        if (waitMs === 0) live++
      }
      assert.equal(live, 72)
      const crawl = await store.budget.take({ share: 'crawl', ratePerS: 0.1, now: NOON + HOUR })
      assert.equal(crawl.waitMs, 0, 'the rest is for the crawler')
      const state = await store.budget.state(NOON + HOUR, 0.1)
      assert.deepEqual([state.lastHour, state.lastHourLive], [73, 72])
    })

    test('a pause that a wrong clock set ends with the wrong clock', async () => {
      const { store } = await open()
      const { budget } = store
      const year = NOON + 400 * 24 * HOUR
      await budget.backOff(year, year + MINUTE)
      assert.equal((await budget.state(NOON, 1)).pausedUntil, null)
      assert.equal((await budget.state(NOON, 1)).ratePerS, 1)
      await budget.take({ share: 'crawl', ratePerS: 1, now: NOON })
      const later = { share: 'crawl', ratePerS: 1, now: NOON + 5_000 } as const
      assert.equal((await budget.take(later)).waitMs, 0)
      await budget.backOff(NOON + 6_000, NOON + MINUTE)
      assert.equal((await budget.state(NOON + 7_000, 1)).pausedUntil, NOON + MINUTE)
    })

    test('a complaint pauses, halves the pace, and is forgotten slowly', async () => {
      const { store } = await open()
      const { budget } = store
      await budget.backOff(NOON, NOON + MINUTE)
      await budget.backOff(NOON + 1, NOON + 2 * MINUTE)
      const paused = await budget.state(NOON + 2, 1)
      assert.deepEqual([paused.ratePerS, paused.pausedUntil], [0.5, NOON + 2 * MINUTE])
      const { waitMs } = await budget.take({ share: 'crawl', ratePerS: 1, now: NOON + MINUTE })
      assert.equal(waitMs, MINUTE)
      const granted = await spendGreedily(store, 1, NOON + 2 * MINUTE, MINUTE)
      assert.ok(
        granted.length <= 33 && granted.length >= 20,
        `${granted.length} in the first minute`,
      )
      assert.equal((await budget.state(NOON + 2 * MINUTE + 4 * MINUTE, 1)).ratePerS, 0.7)
      assert.equal((await budget.state(NOON + HOUR, 1)).ratePerS, 1)
      await budget.backOff(NOON + 6 * MINUTE, NOON + 7 * MINUTE)
      assert.equal((await budget.state(NOON + 7 * MINUTE, 1)).ratePerS, 0.35)
    })
  })
}

/** Asks every 100 ms, as crawlers with nothing else to do might. */
async function spendGreedily(
  store: Store,
  ratePerS: number,
  from: number,
  lengthMs: number,
): Promise<number[]> {
  const granted: number[] = []
  for (let now = from; now < from + lengthMs; now += 100) {
    for (;;) {
      const { waitMs } = await store.budget.take({ share: 'crawl', ratePerS, now })
      if (waitMs > 0) break
      granted.push(now)
    }
  }
  return granted
}

function mostIn(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
  )
}
