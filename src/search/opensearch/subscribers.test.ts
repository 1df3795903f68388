import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { openSession } from './engine-session.ts'
import { bitmapOf } from './bitmap.ts'
import { openClient, type Client } from './client.ts'
import { createNames } from './names.ts'
import { createSubscribers } from './subscribers.ts'

const skip = whyNoEngines() ?? false
const clock = createStillClock(Date.UTC(2026, 2, 14, 9, 26, 53))

test(
  'the first read of all channels survives the search that began it, is shared and is resumed',
  { skip },
  async () => {
    await using opened = new AsyncDisposableStack()
    const location = opened.use(ownLocation())
    const writer = opened.use(await openIndexWriter(location, clock))
    for (const channelId of [1, 2, 3, 4]) {
      await writer.apply({ channels: [{ channelId, subscribers: 100 * channelId }] })
    }
    const client = opened.use(await openClient(location))
    const names = createNames(location.prefix, ANALYZER_VERSION)
    const held = Promise.withResolvers<void>()
    const from: number[] = []
    const request: Client['request'] = async (asked) => {
      const { query } = asked.body as { query: { range: { seq: { gte: number } } } }
      from.push(query.range.seq.gte)
      if (from.length === 2) await held.promise
      if (from.length === 3) throw new Error('cut')
      return client.request(asked)
    }
    const subscribers = createSubscribers({ ...client, request }, names, 2)
    const ask = (ms: number) => {
      const about = { index: names.alias, preference: 'x', signal: undefined }
      return { ...openSession(client, about), deadline: performance.now() + ms }
    }
    const soon = 60_000
    // The second page hangs: callers give up, and reading goes on.
    while (from.length < 2) {
      await assert.rejects(subscribers(200, ask(50)), { code: 'unavailable', retryAfterS: 5 })
    }
    const waiting = [subscribers(200, ask(soon)), subscribers(300, ask(soon))]
    assert.equal(from.length, 2, 'all share one reading')
    held.resolve()
    const failed = await Promise.allSettled(waiting)
    assert.deepEqual(
      [from.length, failed[0]!.status, failed[1]!.status],
      [3, 'rejected', 'rejected'],
    )
    assert.equal(await subscribers(200, ask(soon)), bitmapOf([2, 3, 4]))
    assert.ok(from[3]! > 0 && from[3]! >= from[2]!, 'what was read is not read again')
    await writer.apply({ channels: [{ channelId: 1, subscribers: 250 }] })
    assert.equal(await subscribers(200, ask(soon)), bitmapOf([1, 2, 3, 4]))
  },
)
