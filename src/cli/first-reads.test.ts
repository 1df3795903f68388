import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstReads, firstReadsLine } from './first-reads.ts'

const totals = (channelsByStatus: Record<string, number>, posts: number) => ({
  channels: 0,
  channelsByStatus,
  posts,
  oldestPostAt: null,
  newestPostAt: null,
  removals: 0,
})

test('the time left is estimated from the posts read so far and the crawl rate', () => {
  assert.deepEqual(firstReads(totals({ active: 3 }, 90), 1), { waiting: 0, read: 3, leftMs: 0 })
  // 100 posts are 5 pages and one more to see the end: 6 requests a channel, at 0.8 a second.
  const some = firstReads(totals({ queued: 8, active: 1, dormant: 1 }, 200), 1)
  assert.deepEqual(some, { waiting: 8, read: 2, leftMs: 60_000 })
  assert.equal(firstReads(totals({ queued: 8, active: 2 }, 200), 2).leftMs, 30_000)
  assert.match(firstReadsLine(firstReads(totals({ queued: 1 }, 0), 100)), /about 1 s left$/)
  const none = firstReads(totals({ queued: 10 }, 0), 1)
  assert.equal(none.leftMs, 100_000)
  assert.match(firstReadsLine(some), /^█{5}░{19} 2 of 10 channels read, about 60 s left$/)
  assert.match(firstReadsLine(some, true), / 2 of 10 channels read, the platform does not answer$/)
})

test('the estimate for a channel is capped at the depth of a first visit', () => {
  const { leftMs } = firstReads(totals({ queued: 1, active: 1 }, 1_000_000), 1)
  assert.equal(leftMs, 32_500)
})
