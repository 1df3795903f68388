import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '../store.ts'
import {
  CONSUMER,
  DAY,
  MINUTE,
  NOON,
  addChannel,
  count,
  drained,
  samplePost,
  sampleReading,
  told,
  type OpenStore,
} from './samples.ts'

const CLAIM = { limit: 10, ttlMs: MINUTE }

export function describeChanges(open: OpenStore): void {
  /** A channel with two posts whose changes wait, and nothing else that waits. */
  async function setUp(name: string) {
    const { store, setNow } = await open()
    setNow(NOON)
    const { id } = await addChannel(store, name)
    await drained(store)
    const edit = (number: number, text: string) =>
      store.archive.record(
        sampleReading(id, { at: NOON + 1, posts: [samplePost(number, { text })] }),
      )
    await store.archive.record(sampleReading(id, { posts: [samplePost(1), samplePost(2)] }))
    return { store, setNow, id, edit }
  }
  const waiting = async (store: Store, consumer: string) =>
    (await store.changes.pending(consumer, 1_000)).count

  describe('changes', () => {
    test('are claimed once, oldest first, and forgotten when done', async () => {
      const { store, id } = await setUp('claimed')
      const first = await store.changes.claim(CONSUMER, { ...CLAIM, limit: 1 })
      const second = await store.changes.claim(CONSUMER, CLAIM)
      assert.deepEqual([told(first!), told(second!)], [[`post ${id}/1`], [`post ${id}/2`]])
      assert.equal(await store.changes.claim(CONSUMER, CLAIM), undefined)
      await store.changes.done(first!)
      assert.equal(await waiting(store, CONSUMER), 1, 'what is claimed still waits')
      await store.changes.done(second!)
      assert.deepEqual(await drained(store), [])
    })

    test('can be claimed again when they are released or the claim expires', async () => {
      const { store, setNow } = await setUp('released')
      const failed = await store.changes.claim(CONSUMER, CLAIM)
      await store.changes.release(failed!)
      const slow = await store.changes.claim(CONSUMER, CLAIM)
      assert.equal(slow?.changes.length, 2)
      setNow(NOON + MINUTE - 1)
      assert.equal(await store.changes.renew(slow!, MINUTE), true)
      setNow(NOON + 2 * MINUTE - 2)
      assert.equal(await store.changes.claim(CONSUMER, CLAIM), undefined)
      setNow(NOON + 2 * MINUTE)
      const quick = await store.changes.claim(CONSUMER, CLAIM)
      assert.equal(quick?.changes.length, 2)
      assert.equal(await store.changes.renew(slow!, MINUTE), false)
      await store.changes.done(slow!)
      await store.changes.release(slow!)
      assert.equal(await waiting(store, CONSUMER), 2, 'who lost a claim forgets nothing')
      assert.equal(await store.changes.claim(CONSUMER, CLAIM), undefined, 'nor gives it back')
    })

    test('claimed by a clock that was a year ahead are claimed again, including later changes', async () => {
      const { store, setNow, id, edit } = await setUp('claimed_ahead')
      setNow(NOON + 400 * DAY)
      const ahead = await store.changes.claim(CONSUMER, CLAIM)
      assert.equal(ahead?.changes.length, 2)
      setNow(NOON)
      await edit(1, 'edited')
      const claim = await store.changes.claim(CONSUMER, CLAIM)
      assert.deepEqual(told(claim!), [`post ${id}/1`, `post ${id}/2`])
      assert.equal(await store.changes.renew(ahead!, MINUTE), false)
    })

    test('stay pending if the post changes again while they are claimed', async () => {
      const { store, id, edit } = await setUp('meanwhile')
      const claim = await store.changes.claim(CONSUMER, CLAIM)
      await edit(1, 'edited')
      assert.equal(await store.changes.claim(CONSUMER, CLAIM), undefined, 'not two at once')
      await store.changes.done(claim!)
      assert.deepEqual(await drained(store), [`post ${id}/1`])
    })

    test('are merged per post, and the oldest determines the lag', async () => {
      const { store, id } = await setUp('coalesce')
      for (const at of [NOON + 1, NOON + 2, NOON + 3]) {
        const posts = [samplePost(1, { views: count(at, at) })]
        await store.archive.record(sampleReading(id, { at, posts }))
      }
      assert.deepEqual(await store.changes.pending(CONSUMER, 10), {
        count: 2,
        since: NOON,
        isBehind: false,
      })
      assert.equal((await store.changes.pending(CONSUMER, 1)).count, 1, 'counted to the bound')
      assert.deepEqual(await drained(store), [`post ${id}/1`, `post ${id}/2`])
      assert.deepEqual(await store.changes.pending(CONSUMER, 10), {
        count: 0,
        since: null,
        isBehind: false,
      })
    })

    test('wait for the first consumer to register', async () => {
      const { store, setNow } = await open()
      setNow(NOON)
      const { id } = await addChannel(store, 'nobody_yet')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      assert.deepEqual(await store.changes.consumers(), [])
      assert.equal(await waiting(store, 'first'), 2)
      assert.equal(await store.changes.claim('first', CLAIM), undefined, 'not to a stranger')
      assert.equal((await store.changes.pending('first', 9)).isBehind, false)
      assert.deepEqual(await store.changes.register('first'), { rebuild: 'none' })
      setNow(NOON + 1)
      assert.deepEqual(await store.changes.register('first'), { rebuild: 'none' })
      setNow(NOON + 3)
      assert.deepEqual(await store.changes.consumers(), [{ name: 'first', idleMs: 2 }])
      const claim = await store.changes.claim('first', CLAIM)
      assert.deepEqual(told(claim!), [`channel ${id}`, `post ${id}/1`])
    })

    test('are pending for each consumer separately', async () => {
      const { store, id, edit } = await setUp('two_of_them')
      const held = await store.changes.claim(CONSUMER, { ...CLAIM, limit: 1 })
      assert.deepEqual(await store.changes.register('second'), { rebuild: 'due' })
      const copied = await store.changes.claim('second', CLAIM)
      assert.deepEqual(told(copied!), [`post ${id}/1`, `post ${id}/2`])
      await store.changes.done(copied!)
      await store.changes.done(held!)
      assert.deepEqual([await waiting(store, CONSUMER), await waiting(store, 'second')], [1, 0])
      await edit(1, 'edited')
      assert.deepEqual([await waiting(store, CONSUMER), await waiting(store, 'second')], [2, 1])
      await store.changes.unregister('second')
      assert.equal(await store.changes.claim('second', CLAIM), undefined)
      assert.deepEqual((await drained(store)).length, 2)
    })

    test('may have passed a consumer by that joins others, until it has noted its rebuild', async () => {
      const { store } = await setUp('passed_by')
      const { changes } = store
      const isBehind = async (consumer: string) => (await changes.pending(consumer, 9)).isBehind
      assert.equal(await isBehind('late'), true, 'before it is registered')
      for (const [from, rebuild] of [
        ['none', 'due'],
        ['due', 'begun'],
        ['begun', 'filled'],
        ['filled', 'none'],
      ] as const) {
        await changes.noteRebuild('late', from, rebuild)
        assert.deepEqual(await changes.register('late'), { rebuild })
        assert.deepEqual(await changes.register('late'), { rebuild }, 'however often it asks')
        assert.equal(await isBehind('late'), rebuild === 'due' || rebuild === 'begun')
      }
      await changes.unregister('late')
      assert.deepEqual(await changes.register('late'), { rebuild: 'due' }, 'once more')
      await changes.noteRebuild('late', 'begun', 'none')
      assert.deepEqual(await changes.register('late'), { rebuild: 'due' }, 'another was meant')
      assert.equal(await isBehind(CONSUMER), false, 'who was there before has missed nothing')
    })

    test('of the last consumer are kept for the next when it is unregistered', async () => {
      const { store } = await setUp('unregistered')
      await store.changes.unregister(CONSUMER)
      await store.changes.unregister(CONSUMER)
      assert.deepEqual(await store.changes.consumers(), [])
      assert.deepEqual(await store.changes.register('next'), { rebuild: 'none' })
      assert.equal(await waiting(store, 'next'), 2)
    })

    test('of posts in another language than their channel are marked, except those already pending', async () => {
      const { store, id, edit } = await setUp('foreign')
      const posts = [3, 4, 5, 6].map((n) => samplePost(n))
      await store.archive.record(sampleReading(id, { posts, deleted: [6] }))
      await store.archive.record(sampleReading(id, { posts: [samplePost(7, { kind: 'service' })] }))
      await drained(store)
      const learnt = { revision: 1, detectedLanguage: 'en', languageWeight: 1, terms: [], has: [] }
      const derived = ['ru', 'ru', 'en', null, 'ru'].map((language, i) => {
        return { channelId: id, number: i + 1, ...learnt, language }
      })
      await store.archive.saveDerived(derived)
      assert.deepEqual(await drained(store), [`language ${id}`])
      // One post waits to be read again, of another only the views changed; both changes are claimed.
      await edit(1, 'edited')
      const views = [samplePost(2, { views: count(99, NOON + 2) })]
      await store.archive.record(sampleReading(id, { at: NOON + 2, posts: views }))
      const held = await store.changes.claim(CONSUMER, CLAIM)
      assert.deepEqual(told(held!), [`post ${id}/1`, `counters ${id}/2`])
      await store.changes.markForeign(id)
      await store.changes.done(held!)
      assert.deepEqual(await drained(store), [`post ${id}/2`, `post ${id}/4`, `post ${id}/5`])
      await store.changes.markForeign(id + 1)
      assert.deepEqual(await drained(store), [], 'of no other channel')
    })

    test('may have passed by every consumer once rebuilds are asked for', async () => {
      const { store } = await setUp('rebuilt')
      await store.changes.register('other')
      await store.changes.noteRebuild('other', 'due', 'begun')
      await store.changes.expectRebuilds()
      for (const consumer of [CONSUMER, 'other'])
        assert.deepEqual(await store.changes.register(consumer), { rebuild: 'due' })
    })
  })
}
