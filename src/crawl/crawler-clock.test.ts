import assert from 'node:assert/strict'
import { test } from 'node:test'
import { START, openCrawler } from '../../test/open-crawler.ts'
import { createClockCheck } from '../model/clock-check.ts'
import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'

for (const isFromStart of [true, false])
  test(`a crawler whose clock ${isFromStart ? 'is' : 'becomes'} wrong writes nothing, asks for the time once a minute, and goes on once it is right`, async () => {
    const clock = createManualClock(START)
    const check = createClockCheck(clock)
    const s = await openCrawler(clock, clock, { isClockWrong: check.isWrong })
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3, START)
    let ahead = 0
    const leap = (ms: number) => {
      ahead += ms
      clock.set(clock.now() + ms)
    }
    if (isFromStart) leap(400 * DAY_MS)
    check.hear('platform', START)
    const crawler = s.start()
    if (!isFromStart) {
      await s.pass(MINUTE_MS)
      leap(400 * DAY_MS)
      s.platform.publish(channel!, 2, START)
    }
    const before = await s.store.archive.totals()
    const { id } = (await s.store.archive.channel('first_channel'))!
    const planned = await s.store.frontier.schedule(id)
    s.platform.asked.length = 0
    await s.pass(3 * MINUTE_MS)
    assert.ok(s.platform.asked.length >= 2 && s.platform.asked.length <= 4)
    assert.equal((await s.store.archive.totals()).posts, before.posts)
    assert.deepEqual(await s.store.frontier.schedule(id), planned)
    leap(-ahead)
    await s.pass(12 * MINUTE_MS)
    assert.equal((await s.store.archive.totals()).posts, isFromStart ? 3 : 5)
    await crawler.stop()
    assert.deepEqual(s.crashes, [])
  })
