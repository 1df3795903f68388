import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentSha256 } from '../../model/content-hash.ts'
import type { Post } from '../../model/post.ts'
import type { Reading } from '../archive.ts'
import { importHistories, type PostHistory } from '../import-histories.ts'
import {
  MINUTE,
  NOON,
  addChannel,
  listOf,
  sampleMedia,
  samplePost,
  sampleReading,
  walk,
  type OpenStore,
} from './samples.ts'

/** An album shows several numbers as one post. It replaces its parts, but never a separate post whose number it lists. */
export function describeAlbums(open: OpenStore): void {
  async function setUp(name: string) {
    const { store } = await open()
    const { id } = await addChannel(store, name)
    const record = (fields: Partial<Reading>) => store.archive.record(sampleReading(id, fields))
    return { store, id, record, numbers: () => walk(store, listOf(id)) }
  }
  const picture = (number: number, fields: Partial<Post> = {}) =>
    samplePost(number, {
      publishedAt: NOON - MINUTE,
      text: '',
      media: [sampleMedia({ number })],
      ...fields,
    })
  /** An album as a page shows it: one caption, one date, a file for each number. */
  const albumOf = (first: number, size: number, fields: Partial<Post> = {}): Post => {
    const albumNumbers = Array.from({ length: size }, (_, i) => first + i)
    const media = albumNumbers.map((number) => sampleMedia({ number }))
    return picture(first, { text: 'the caption', media, albumNumbers, ...fields })
  }

  /** Posts with even numbers have a text of their own. */
  const single = (number: number) => picture(number, number % 2 === 0 ? { text: 'its own' } : {})
  const told = (channelId: number, post: Post): PostHistory => ({
    post: {
      ...post,
      channelId,
      revision: 1,
      contentSha256: contentSha256(post),
      firstCapturedAt: NOON,
      lastCapturedAt: NOON,
      capture: 'import',
      parserVersion: 0,
      deletedAt: null,
      language: null,
    },
    versions: [],
  })

  describe('albums', () => {
    test('replace members that were imported one by one', async () => {
      const { store, id, record, numbers } = await setUp('albums')
      const singles = [picture(1, { text: 'the caption' }), picture(2), picture(3)]
      await record({ capture: 'import', posts: singles })
      const read = await record({ at: NOON + 1, posts: [albumOf(1, 3)] })
      assert.deepEqual([read.joined, await numbers()], [2, [1]])
      assert.equal((await store.archive.channel('albums'))?.posts, 1)
      assert.deepEqual(await store.archive.numbersBetween(id, 1, 9), [1, 2, 3])
      assert.deepEqual(await store.archive.numbersBetween(id, 1, 9, 2), [2, 3])
      assert.deepEqual(await store.archive.numbersBetween(id, 1, 2, 1), [2])
      const again = await record({ at: NOON + 2, capture: 'import', posts: singles })
      assert.deepEqual([again.added, await numbers()], [[], [1]])
    })

    test('replace a part of themselves that a page had shown alone', async () => {
      const { store, id, record, numbers } = await setUp('part_first')
      await record({ posts: [albumOf(3, 3, { text: '' })] })
      await record({ at: NOON + 1, posts: [albumOf(1, 5)] })
      assert.deepEqual(await numbers(), [1])
      assert.equal((await store.archive.post(id, 5))?.number, 1)
    })

    test('leave posts that they only list unchanged, with text and versions', async () => {
      const { store, id, record, numbers } = await setUp('named')
      const posts = Array.from({ length: 20 }, (_, i) => samplePost(i + 1))
      await record({ posts })
      await record({ at: NOON + 1, posts: [samplePost(3, { text: 'edited' })] })
      const all = posts.map(({ number }) => number)
      const named = (number: number) => samplePost(number, { albumNumbers: [number, ...all] })
      await record({ at: NOON + 2, capture: 'import', posts: [named(5000)] })
      await importHistories(store, id, [told(id, named(6000))], NOON + 3)
      for (const capture of ['live', 'crawl'] as const) {
        await record({ at: NOON + 4, capture, posts: [named(7000), albumOf(2, 9)] })
        assert.deepEqual(await numbers(), [7000, 6000, 5000, ...all.toReversed()])
      }
      assert.equal((await store.archive.post(id, 4))?.text, 'post 4')
      assert.equal((await store.archive.versions({ channelId: id, number: 3 })).length, 1)
    })

    test('do not absorb an imported post that has a text of its own', async () => {
      const { store, id, record, numbers } = await setUp('beside')
      await record({ posts: [albumOf(1, 5)] })
      const bare = await record({ at: NOON + 1, capture: 'import', posts: [2, 3].map(single) })
      const posts = [4, 5].map((number) => told(id, single(number)))
      const read = await importHistories(store, id, posts, NOON + 2)
      assert.deepEqual([bare.added, read.added, await numbers()], [[2], [4], [4, 2, 1]])
      assert.equal((await store.archive.post(id, 3))?.number, 1)
    })

    test('from an import replace no post that was crawled, even one of pictures only', async () => {
      const { record, numbers } = await setUp('read_pictures')
      await record({ posts: [picture(2)] })
      await record({ at: NOON + 1, capture: 'import', posts: [albumOf(1, 3), albumOf(4, 2)] })
      assert.deepEqual(await numbers(), [4, 2, 1])
    })

    test('do not absorb a picture of another time, a poll or a deleted post', async () => {
      const { store, id, record, numbers } = await setUp('no_parts')
      const poll = { question: 'Which?', type: 'Anonymous Poll', options: [], voters: null }
      const later = picture(2, { publishedAt: NOON - 20 * MINUTE })
      await record({ posts: [later, picture(3, { poll }), picture(4)] })
      await record({ at: NOON + 1, deleted: [4] })
      await record({ at: NOON + 2, posts: [albumOf(1, 5)] })
      assert.deepEqual(await numbers(), [3, 2, 1])
      assert.equal((await store.archive.post(id, 4))?.deletedAt, NOON + 1)
      assert.equal((await store.archive.post(id, 5))?.number, 1)
    })

    test('do not take posts that they only list with them when removed, nor block them afterwards', async () => {
      const { store, record, numbers } = await setUp('named_removed')
      await record({ posts: [samplePost(7), samplePost(500)] })
      await record({ at: NOON + 1, posts: [{ ...albumOf(6, 3), albumNumbers: [3, 6, 7, 8, 500] }] })
      await store.removals.removePost('named_removed', 6, 'asked', NOON + 2)
      assert.deepEqual(await numbers(), [500, 7])
      const posts = [3, 6, 7, 8, 500].map((number) => samplePost(number, { text: 'again' }))
      const result = await record({ at: NOON + 3, posts })
      assert.deepEqual([result.added, result.changed, result.refused], [[3], [7, 500], 2])
    })
  })
}
