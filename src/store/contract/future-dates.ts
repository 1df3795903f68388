import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  DAY,
  MINUTE,
  NOON,
  addChannel,
  count,
  samplePost,
  sampleProfile,
  sampleReading,
  type OpenStore,
} from './samples.ts'

const LATER = NOON + 400 * DAY

/** Posts captured while the clock was a year ahead, and read again when it is right. */
export function describeFutureDates(open: OpenStore): void {
  describe('captures dated in the future', () => {
    const openAhead = async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'from_ahead')
      const posts = [1, 2, 3].map((n) =>
        samplePost(n, { text: `old ${n}`, views: count(10, LATER) }),
      )
      const profile = sampleProfile('from_ahead', { subscribers: count(10, LATER), title: 'old' })
      await store.archive.record(sampleReading(id, { at: LATER, posts, profile }))
      const away = { at: LATER + 1, deleted: [3] }
      await store.archive.record(sampleReading(id, away))
      return { id, store, archive: store.archive }
    }

    test('do not prevent edits, deletions, restorations or new counts', async () => {
      const { id, archive } = await openAhead()
      const posts = [1, 3].map((n) => samplePost(n, { text: `new ${n}`, views: count(20, NOON) }))
      const profile = sampleProfile('from_ahead', { subscribers: count(20, NOON), title: 'new' })
      const result = await archive.record(sampleReading(id, { posts, profile, deleted: [2] }))
      assert.deepEqual([result.changed, result.deleted], [[1, 3], [2]])
      const [first, second, third] = await archive.posts(
        [1, 2, 3].map((number) => ({ channelId: id, number })),
      )
      assert.deepEqual([first?.text, first?.views?.value], ['new 1', 20])
      assert.deepEqual([second?.text, second?.deletedAt], ['', NOON])
      assert.deepEqual([third?.text, third?.deletedAt], ['new 3', null])
      const [channel] = await archive.channelsById([id])
      assert.deepEqual([channel?.title, channel?.subscribers?.value], ['new', 20])
      assert.equal(channel?.lastVisitedAt, NOON)
    })

    test('are redated by an unchanged reading, after which a late reading counts as late again', async () => {
      const { id, archive } = await openAhead()
      const seen = samplePost(1, { text: 'old 1', views: count(10, NOON) })
      const result = await archive.record(sampleReading(id, { posts: [seen] }))
      assert.deepEqual(result.changed, [])
      const post = await archive.post(id, 1)
      assert.deepEqual(
        [post?.firstCapturedAt, post?.lastCapturedAt, post?.views?.asOf],
        [NOON, NOON, NOON],
      )
      const late = { at: NOON - MINUTE, posts: [samplePost(1, { text: 'before' })] }
      await archive.record(sampleReading(id, late))
      assert.equal((await archive.post(id, 1))?.text, 'old 1')
    })
  })
}
