import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '../store.ts'
import {
  NOON,
  addChannel,
  browse,
  hashtagged,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
  walk,
  type OpenStore,
} from './samples.ts'

const BUTTON = [[{ text: 'Open', url: 'https://example.com/' }]]

/**
 * `spoil` changes what was derived from posts and channels to what an earlier version would have derived: each tag is spelt
 * as in the text ("ёлка"), no post has a link or its host, and no word finds a channel.
 */
export function describeRecount(open: OpenStore, spoil: (store: Store) => Promise<void>): void {
  async function openEarlier(): Promise<{ store: Store; ids: number[] }> {
    const { store } = await open()
    const ids: number[] = []
    for (const name of ['first', 'second', 'empty']) {
      const { id } = await addChannel(store, name)
      ids.push(id)
      const posts = [1, 2, 3, 4].map((n) => hashtagged(n, 'Ёлка'))
      posts.push(samplePost(5, { buttons: BUTTON }))
      const profile = sampleProfile(name)
      await store.archive.record(
        sampleReading(id, { profile, posts: name === 'empty' ? [] : posts }),
      )
    }
    await spoil(store)
    return { store, ids }
  }

  describe('recount', () => {
    for (const limit of [2, 1000]) {
      test(`what an earlier version derived is derived again, ${limit} posts per step`, async () => {
        const { store, ids } = await openEarlier()
        assert.deepEqual((await shown(store, ids[0]!)).linked, [])
        await recountAll(store, limit)
        for (const id of ids.slice(0, 2)) {
          assert.deepEqual(await shown(store, id), {
            topHashtags: [{ value: 'елка', count: 4 }],
            topDomains: [{ value: 'example.com', count: 1 }],
            linked: [5],
          })
        }
        assert.deepEqual((await shown(store, ids[2]!)).topHashtags, [])
        assert.deepEqual(await store.verify(), [])
      })
    }

    test('posts that are added, edited or deleted during a recount are counted once', async () => {
      const { store, ids } = await openEarlier()
      const [id] = ids as [number]
      await store.archive.recount(3)
      const posts = [hashtagged(2, 'Other'), hashtagged(6, 'Ёлка')]
      await store.archive.record(sampleReading(id, { at: NOON + 1, posts, deleted: [1] }))
      await recountAll(store, 3)
      assert.deepEqual((await shown(store, id)).topHashtags, [
        { value: 'елка', count: 3 },
        { value: 'other', count: 1 },
      ])
    })

    test('channels are found by the words of this version', async () => {
      const { store, ids } = await openEarlier()
      await recountAll(store, 1000)
      assert.deepEqual(await find(store, 'econ'), [ids[1]])
      assert.deepEqual(await find(store, 'second'), [ids[1]])
      assert.deepEqual(await find(store, 'absent'), [])
    })

    test('a recount that is complete has nothing left to do', async () => {
      const { store } = await openEarlier()
      await recountAll(store, 100)
      await addChannel(store, 'later')
      assert.equal(await store.archive.recount(100), 0)
    })
  })
}

async function recountAll(store: Store, limit: number): Promise<void> {
  for (let step = 0; (await store.archive.recount(limit)) > 0; step++) assert.ok(step < 100)
}

async function shown(store: Store, id: number) {
  const { topHashtags, topDomains } = await store.archive.stats(id, NOON)
  const linked = await walk(store, listOf(id, { has: ['link'] }))
  return { topHashtags, topDomains, linked }
}

async function find(store: Store, word: string): Promise<number[]> {
  const { items } = await store.archive.channels(browse({ words: [word], sort: 'relevance' }))
  return items.map((channel) => channel.id)
}
