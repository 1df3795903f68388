import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { createManualClock, type ManualClock } from '../simulator/clocks.ts'
import { createPoliteness } from './politeness.ts'

const START = Date.UTC(2026, 8, 1)

async function open(ratePerS: number) {
  const clock = createManualClock(START)
  const store = await openTemporary(clock)
  const pauses: number[] = []
  const politeness = createPoliteness({
    budget: store.budget,
    ratePerS,
    clock,
    onThrottled: ({ until }) => pauses.push(until - clock.now()),
  })
  return { clock, politeness, pauses, budget: store.budget }
}

/** Advances in small steps, so that whatever wakes up sleeps again before the next. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  const step = Math.min(250, ms)
  for (let t = 0; t < ms; t += step) await clock.advance(step)
}

describe('politeness', () => {
  test('grants permits at the given rate and no faster', async () => {
    const { clock, politeness } = await open(2)
    const at: number[] = []
    const stop = new AbortController()
    const run = (async () => {
      for (;;) {
        await politeness.permit('visit', stop.signal)
        at.push(clock.now())
      }
    })()
    await pass(clock, 60_000)
    stop.abort(new Error('over'))
    await assert.rejects(run, /over/)
    assert.ok(at.length >= 110 && at.length <= 120, `${at.length} in a minute`)
    for (const from of at) {
      assert.ok(at.filter((t) => t >= from && t < from + 1_000).length <= 5)
    }
  })

  test('grants live reads before visits that have waited longer', async () => {
    const { clock, politeness } = await open(1)
    const order: string[] = []
    for (let i = 0; i < 3; i++) await politeness.permit('visit')
    const visits = [1, 2].map(() => politeness.permit('visit').then(() => order.push('visit')))
    await clock.advance(1)
    const live = [1, 2].map(() => politeness.permit('live').then(() => order.push('live')))
    await pass(clock, 20_000)
    await Promise.all([...visits, ...live])
    // The first visit in the queue may have asked already.
    assert.deepEqual(order.filter((_, i) => i < 3).filter((o) => o === 'live').length, 2)
    assert.equal(order.at(-1), 'visit')
  })

  test('limits live reads to their share, so that the crawl goes on', async () => {
    const { clock, politeness } = await open(1)
    let live = 0
    const stop = new AbortController()
    const reads = (async () => {
      for (;;) {
        await politeness.permit('live', stop.signal)
        live++
      }
    })()
    let visits = 0
    const crawl = (async () => {
      for (;;) {
        await politeness.permit('visit', stop.signal)
        visits++
      }
    })()
    await pass(clock, 3_600_000)
    stop.abort(new Error('over'))
    await Promise.allSettled([reads, crawl])
    assert.ok(live <= 720, `${live} live reads in an hour`)
    assert.ok(visits > 2_500, `${visits} visits in an hour`)
  })

  test('pauses everything after a complaint, longer each time, and resets after an hour', async () => {
    const { clock, politeness, pauses } = await open(1)
    await politeness.backOff({ retryAfterMs: null })
    await politeness.backOff({ retryAfterMs: null })
    await clock.advance(61_000)
    await politeness.backOff({ retryAfterMs: 10_000 })
    await clock.advance(121_000)
    await politeness.backOff({ retryAfterMs: 1_000_000 })
    await clock.advance(3_600_000)
    await politeness.backOff({ retryAfterMs: null })
    assert.deepEqual(pauses, [60_000, 60_000, 120_000, 1_000_000, 60_000])
  })

  test('removes an aborted request from the queue', async () => {
    const { clock, politeness } = await open(1)
    for (let i = 0; i < 3; i++) await politeness.permit('visit')
    const stop = new AbortController()
    const first = politeness.permit('visit', stop.signal)
    const second = politeness.permit('visit')
    await clock.advance(10)
    stop.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    await pass(clock, 5_000)
    await second
  })

  test('keeps a pause at its full length even if the clock is set back during it', async () => {
    const { clock, politeness } = await open(1)
    await politeness.backOff({ retryAfterMs: null })
    clock.set(START - 86_400_000 * 2)
    let isPermitted = false
    const permitted = politeness.permit('visit').then(() => (isPermitted = true))
    await pass(clock, 50_000)
    assert.equal(isPermitted, false)
    await pass(clock, 60_000)
    assert.equal(isPermitted, true)
    await permitted
  })
})
