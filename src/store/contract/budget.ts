import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, MINUTE, NOON, type Opened, type OpenStore } from './samples.ts'

export function describeBudget(open: OpenStore): void {
  describe('budget', () => {
    for (const ratePerS of [1, 0.1, 5]) {
      test(`no second has more than ${ratePerS} + 3 requests, no minute more than ${ratePerS * 60}`, async () => {
        const granted = await spendGreedily(await open(), ratePerS, NOON, 2 * MINUTE)
        assert.ok(mostIn(granted, 1000) <= ratePerS + 3)
        assert.ok(mostIn(granted, MINUTE) <= ratePerS * 60)
        const share = granted.length / (2 * ratePerS * 60)
        assert.ok(share > 0.75, `${share} of the budget can be used`)
      })
    }

    test('a request is granted up to two seconds ahead, and refused with a waiting time beyond that', async () => {
      const { store, setNow } = await open()
      const take = (ratePerS: number) => store.budget.take({ share: 'crawl', ratePerS })
      for (let i = 0; i < 3; i++) assert.deepEqual(await take(1), { isTaken: true, waitMs: 0 })
      const fourth = await take(1)
      assert.ok(fourth.isTaken && fourth.waitMs > 500 && fourth.waitMs < 1_500)
      const fifth = await take(1)
      assert.equal(fifth.isTaken, false, 'two seconds ahead, no more')
      assert.deepEqual(await take(1), fifth, 'asking in vain takes nothing')
      setNow(NOON + fifth.waitMs)
      assert.deepEqual(await take(1), { isTaken: true, waitMs: 0 })
    })

    test('a clock that is set back does not stop requests until it has caught up', async () => {
      const opened = await open()
      await spendGreedily(opened, 1, NOON, MINUTE)
      const granted = await spendGreedily(opened, 1, NOON - HOUR, MINUTE)
      assert.ok(granted.length > 50, `${granted.length} in a minute`)
    })

    test('live reads get a fifth of each hour’s requests', async () => {
      const { store, setNow } = await open()
      let live = 0
      for (let now = NOON; now < NOON + HOUR; now += 2000) {
        setNow(now)
        if ((await store.budget.take({ share: 'live', ratePerS: 0.1 })).isTaken) live++
      }
      assert.equal(live, 72)
      setNow(NOON + HOUR)
      const crawl = await store.budget.take({ share: 'crawl', ratePerS: 0.1 })
      assert.equal(crawl.waitMs, 0, 'the rest is for the crawler')
      const state = await store.budget.state(0.1)
      assert.deepEqual([state.lastHour, state.lastHourLive], [73, 72])
    })

    test('a pause set by a wrong clock ends when the clock is corrected', async () => {
      const { store, setNow } = await open()
      const { budget } = store
      const year = NOON + 365 * 24 * HOUR
      setNow(year)
      await budget.backOff(MINUTE)
      setNow(NOON)
      const { pausedUntil, ratePerS } = await budget.state(1)
      assert.deepEqual([pausedUntil, ratePerS], [null, 1])
      await budget.take({ share: 'crawl', ratePerS: 1 })
      setNow(NOON + 5_000)
      const slot = await budget.take({ share: 'crawl', ratePerS: 1 })
      assert.deepEqual(slot, { isTaken: true, waitMs: 0 })
      await budget.backOff(MINUTE)
      assert.equal((await budget.state(1)).pausedUntil, NOON + 5_000 + MINUTE)
    })

    test('a complaint pauses, halves the rate, and is forgotten slowly', async () => {
      const opened = await open()
      const { store, setNow } = opened
      const { budget } = store
      const pace = async (now: number) => {
        setNow(now)
        return (await budget.state(1)).ratePerS
      }
      await budget.backOff(MINUTE)
      setNow(NOON + 1)
      await budget.backOff(2 * MINUTE - 1)
      const paused = await budget.state(1)
      assert.deepEqual([paused.ratePerS, paused.pausedUntil], [0.5, NOON + 2 * MINUTE])
      setNow(NOON + MINUTE)
      const slot = await budget.take({ share: 'crawl', ratePerS: 1 })
      assert.deepEqual(slot, { isTaken: false, waitMs: MINUTE })
      const granted = await spendGreedily(opened, 1, NOON + 2 * MINUTE, MINUTE)
      assert.ok(
        granted.length <= 33 && granted.length >= 20,
        `${granted.length} in the first minute`,
      )
      assert.equal(await pace(NOON + 2 * MINUTE + 4 * MINUTE), 0.7)
      assert.equal(await pace(NOON + HOUR), 1)
      setNow(NOON + 6 * MINUTE)
      await budget.backOff(MINUTE)
      assert.equal(await pace(NOON + 7 * MINUTE), 0.35)
    })
  })

  describe('the reserve', () => {
    const takeAll = async (
      { store, setNow }: Opened,
      now: number,
      isForGap: boolean,
      ratePerS = 1,
    ) => {
      setNow(now)
      let taken = 0
      const request = { isForGap, isIdle: false, ratePerS }
      while (taken < 10_000 && (await store.budget.takeReserve(request))) taken++
      return taken
    }

    test('saves up for at most an hour, at 15 % of the rate', async () => {
      const opened = await open()
      assert.equal(await takeAll(opened, NOON, true), 9)
      assert.equal(await takeAll(opened, NOON + 21_000, true), 3)
      assert.equal(await takeAll(opened, NOON + 10 * HOUR, true), 540)
    })

    test('keeps a part for gaps, and is unlimited while nothing is due', async () => {
      const opened = await open()
      const { budget } = opened.store
      assert.equal(await takeAll(opened, NOON, false), 0)
      assert.equal(await takeAll(opened, NOON + MINUTE, false), 9)
      assert.equal(await takeAll(opened, NOON + MINUTE, true), 9)
      assert.equal(await takeAll(opened, NOON + 2 * MINUTE, false), 0, 'gaps come first')
      assert.ok(await budget.takeReserve({ isForGap: false, isIdle: true, ratePerS: 1 }))
      const { lastHourReserve } = await budget.state(1)
      assert.ok(lastHourReserve > 18 && lastHourReserve < 19, `${lastHourReserve}`)
    })

    test('loses nothing when the clock is set back, and is available however low the rate', async () => {
      const opened = await open()
      assert.equal(await takeAll(opened, NOON, true), 9)
      assert.equal(await takeAll(opened, NOON - HOUR, true), 0)
      assert.equal(await takeAll(opened, NOON - HOUR + 21_000, true), 3)
      const slow = await open()
      await takeAll(slow, NOON, false, 0.01)
      assert.ok((await takeAll(slow, NOON + HOUR, false, 0.01)) > 0)
    })
  })
}

/** Asks every 100 ms, as idle crawlers might. */
async function spendGreedily(
  { store, setNow }: Opened,
  ratePerS: number,
  from: number,
  lengthMs: number,
): Promise<number[]> {
  const granted: number[] = []
  for (let now = from; now < from + lengthMs; now += 100) {
    setNow(now)
    for (;;) {
      const { isTaken, waitMs } = await store.budget.take({ share: 'crawl', ratePerS })
      if (!isTaken) break
      if (now + waitMs < from + lengthMs) granted.push(now + waitMs)
    }
  }
  return granted
}

function mostIn(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
  )
}
