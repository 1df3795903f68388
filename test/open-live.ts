/** A live reader on a store of its own and the fake platform, whose one channel has 65 posts. */
import assert from 'node:assert/strict'
import { createLiveReader, type LiveReaderOptions } from '../src/crawl/live.ts'
import type { LiveRequest } from '../src/crawl/live-pages.ts'
import { createPoliteness } from '../src/crawl/politeness.ts'
import { createManualClock } from '../src/simulator/clocks.ts'
import { createFakePlatform } from './fake-platform.ts'
import { openTemporary } from './open-temporary.ts'

export const START = Date.UTC(2026, 8, 1)

export async function openLive(overrides: Partial<LiveReaderOptions> = {}) {
  const clock = createManualClock(START)
  const store = await openTemporary(clock)
  const platform = createFakePlatform(clock)
  const channel = platform.add('daily_news', 1000)
  platform.publish(channel, 65)
  const politeness = createPoliteness({ budget: store.budget, ratePerS: 10, clock })
  const { source } = platform
  const live = createLiveReader({
    source,
    store,
    politeness,
    clock,
    isClockWrong: () => false,
    autoIndex: 'off',
    ...overrides,
  })
  const ask = (request: Partial<LiveRequest> = {}): LiveRequest => ({
    name: 'daily_news',
    limit: null,
    before: null,
    maxAgeMs: 30_000,
    signal: new AbortController().signal,
    ...request,
  })
  const read = (request: Partial<LiveRequest> = {}) => live.read(ask(request))
  const index = async () => {
    const added = await store.archive.addChannel('daily_news', { at: START, status: 'queued' })
    assert.ok(added.outcome !== 'removed')
    return added.channel.id
  }
  return { clock, store, platform, channel, politeness, live, ask, read, index }
}
