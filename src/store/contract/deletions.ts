import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reading } from '../archive.ts'
import {
  NOON,
  addChannel,
  drained,
  listOf,
  samplePost,
  sampleReading,
  walk,
  type OpenStore,
} from './samples.ts'

/** Posts that were deleted on the platform. */
export function describeDeletions(open: OpenStore): void {
  describe('deletions', () => {
    test('a deleted post keeps its evidence and loses its text, earlier versions included', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'deleted')
      await store.archive.record(
        sampleReading(id, { posts: [samplePost(1, { text: 'one' }), samplePost(2)] }),
      )
      await store.archive.record(
        sampleReading(id, { at: NOON + 1, posts: [samplePost(1, { text: 'two' })] }),
      )
      const sha256 = (await store.archive.post(id, 1))?.contentSha256
      await drained(store)
      const result = await store.archive.record(
        sampleReading(id, { at: NOON + 2, deleted: [1, 99] }),
      )
      assert.deepEqual(result.deleted, [1])
      const post = await store.archive.post(id, 1)
      assert.deepEqual([post?.text, post?.deletedAt, post?.contentSha256], ['', NOON + 2, sha256])
      const versions = await store.archive.versions({ channelId: id, number: 1 })
      assert.deepEqual(
        versions.map((version) => version.text),
        [null],
      )
      assert.deepEqual(await walk(store, listOf(id)), [2])
      assert.deepEqual(await walk(store, listOf(id, { includeDeleted: true })), [2, 1])
      assert.deepEqual(await store.archive.numbersBetween(id, 1, 9), [2])
      assert.equal((await store.archive.channel('deleted'))?.posts, 1)
      assert.deepEqual(await drained(store), [`post ${id}/1`])
      assert.deepEqual(
        (await store.archive.record(sampleReading(id, { at: NOON + 3, deleted: [1] }))).deleted,
        [],
      )
    })

    test('an import does not restore a deleted post, but a crawl that shows it does', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'deleted_import')
      const posts = [samplePost(1, { text: 'its author took it back' })]
      const read = (at: number, fields: Partial<Reading>) =>
        store.archive.record(sampleReading(id, { at, ...fields }))
      await read(NOON, { capture: 'import', posts })
      await read(NOON + 1, { deleted: [1] })
      await drained(store)
      await read(NOON + 2, { capture: 'import', posts })
      const post = await store.archive.post(id, 1)
      assert.deepEqual([post?.text, post?.deletedAt], ['', NOON + 1])
      assert.deepEqual(await drained(store), [])
      await read(NOON + 3, { posts })
      assert.equal((await store.archive.post(id, 1))?.deletedAt, null)
    })

    test('the text of a deleted post is kept if the retention says so', async () => {
      const { store } = await open({ deleted: 'keep' })
      const { id } = await addChannel(store, 'kept')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1, { text: 'stays' })] }))
      await store.archive.record(sampleReading(id, { at: NOON + 1, deleted: [1] }))
      const post = await store.archive.post(id, 1)
      assert.deepEqual([post?.text, post?.deletedAt], ['stays', NOON + 1])
    })

    test('a post seen again after its deletion is restored', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'back')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      await store.archive.record(sampleReading(id, { at: NOON + 1, deleted: [1] }))
      await store.archive.record(sampleReading(id, { at: NOON, posts: [samplePost(1)] }))
      assert.notEqual(
        (await store.archive.post(id, 1))?.deletedAt,
        null,
        'an older page proves nothing',
      )
      await store.archive.record(sampleReading(id, { at: NOON + 2, posts: [samplePost(1)] }))
      const post = await store.archive.post(id, 1)
      assert.deepEqual([post?.text, post?.deletedAt, post?.revision], ['post 1', null, 1])
      assert.equal((await store.archive.channel('back'))?.posts, 1)
    })
  })
}
