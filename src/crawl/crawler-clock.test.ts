import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { START, openCrawler } from '../../test/open-crawler.ts'
import { createSteadyClock } from '../model/steady-clock.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'

describe('a crawler with a wrong clock', () => {
  test('recovers from ten seconds of a clock 400 days ahead within minutes', async () => {
    for (const isSteady of [true, false]) {
      const base = createManualClock(START)
      const s = await openCrawler(isSteady ? createSteadyClock(base) : base, base)
      const [channel] = await s.add('first_channel')
      s.platform.publish(channel!, 3)
      const crawler = s.start()
      await s.pass(MINUTE_MS)
      base.set(base.now() + 400 * DAY_MS)
      await s.pass(10 * SECOND_MS)
      const { id } = (await s.store.archive.channel('first_channel'))!
      // Makes sure that there is a visit that the wrong clock plans.
      if (!isSteady) await s.store.frontier.makeDue(id, 0)
      await s.pass(2 * SECOND_MS)
      base.set(base.now() - 400 * DAY_MS)
      const { nextVisitAt } = (await s.store.frontier.schedule(id))!
      assert.equal(nextVisitAt > base.now() + 300 * DAY_MS, !isSteady)
      s.platform.publish(channel!, 2)
      await s.pass(12 * MINUTE_MS)
      assert.equal((await s.store.archive.channel('first_channel'))?.posts, 5)
      await crawler.stop()
      assert.deepEqual(s.crashes, [])
    }
  })

  test('writes nothing and sends about one request a minute while the platform contradicts its clock', async () => {
    const base = createManualClock(START + 400 * DAY_MS)
    const clock = createSteadyClock(base)
    clock.observe(START)
    const s = await openCrawler(clock, base, { isClockWrong: clock.isContradicted })
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3, START)
    const crawler = s.start()
    await s.pass(3 * MINUTE_MS)
    assert.ok(s.platform.asked.length >= 2 && s.platform.asked.length <= 4)
    assert.equal((await s.store.archive.totals()).posts, 0)
    base.set(START + 3 * MINUTE_MS)
    await s.pass(11 * MINUTE_MS)
    assert.equal((await s.store.archive.totals()).posts, 3)
    await crawler.stop()
    assert.deepEqual(s.crashes, [])
  })
})
