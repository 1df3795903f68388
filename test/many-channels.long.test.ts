import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asked, browse, openManyChannels, type ManyChannels } from './many-channels.ts'
import { longestHoldMs } from './watch-loop.ts'
import { yardstickMs } from './processor-time.ts'

/** `npm run prove -- channels` does the same with a million. */
describe('a store of a hundred thousand channels', () => {
  let many: ManyChannels
  before(async () => {
    many = await openManyChannels(100_000)
  })
  after(() => many[Symbol.asyncDispose]())

  test('answers every query without blocking the event loop', async () => {
    // About 20 ms on a quiet machine.
    const bound = 20 * yardstickMs()
    for (const [what, ask] of Object.entries(asked(many.store))) {
      const held = await longestHoldMs(ask)
      assert.ok(held < bound, `${what} held the event loop for ${held} ms`)
    }
  })

  test('finds a channel by a part of its name', async () => {
    const { archive } = many.store
    for (const id of [1, 777, 100_000]) {
      const [channel] = await archive.channelsById([id])
      const words = [channel!.username.slice(3)]
      const page = await archive.channels(browse({ words, sort: 'relevance' }))
      assert.deepEqual(
        page.items.map((found) => found.id),
        [id],
      )
    }
  })

  test('pages through all channels of a rare filter, each once', async () => {
    const { archive } = many.store
    for (const [fields, expected] of [
      [{ lang: ['is'], sort: 'newest_post' }, 100],
      [{ verified: true, maxSubscribers: 10_000, sort: 'added' }, undefined],
    ] as const) {
      const seen: number[] = []
      let after: string | null = null
      for (let pages = 0; pages < 100; pages++) {
        const page = await archive.channels(browse({ ...fields, limit: 30, after }))
        seen.push(...page.items.map((found) => found.id))
        after = page.next
        if (after === null) break
      }
      assert.equal(after, null, 'the walk ends')
      assert.equal(new Set(seen).size, seen.length, 'no channel is shown twice')
      const all = Array.from({ length: 100_000 }, (_, i) => i + 1)
      const wanted =
        expected ?? all.filter((id) => id % 50 === 0 && (id * 7919) % 1_000_003 <= 10_000).length
      assert.equal(seen.length, wanted)
    }
  })
})
