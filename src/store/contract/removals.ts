import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { termHash } from '../terms.ts'
import { NOTHING_WRITTEN } from '../archive.ts'
import { planReading } from '../plan/reading.ts'
import { planNumbersRemoval } from '../plan/removal.ts'
import {
  NOON,
  addChannel,
  browse,
  drained,
  hashtagged,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
  walk,
  wordsOf,
  type OpenStore,
} from './samples.ts'

export function describeRemovals(open: OpenStore): void {
  describe('removals', () => {
    test('a removed channel disappears from every answer and is marked as changed', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'leaves')
      const profile = sampleProfile('Leaves', { platformId: 9 })
      const posts = [hashtagged(1, 'tag'), samplePost(2), samplePost(3, { albumNumbers: [3, 4] })]
      await archive.record(sampleReading(id, { profile, posts }))
      await archive.record(sampleReading(id, { at: NOON + 1, posts: [samplePost(1)] }))
      const derived = { revision: 2, language: 'en', detectedLanguage: 'en', languageWeight: 1 }
      await archive.saveDerived([
        { channelId: id, number: 1, ...derived, terms: [termHash('post')], has: [] },
      ])
      await store.frontier.addGap({ channelId: id, kind: 'gap', before: 2, downTo: 1, until: null })
      await drained(store)
      assert.deepEqual(await removals.removeChannel('LEAVES', 'owner asked', NOON + 2), {
        posts: 3,
      })
      assert.equal(await archive.channel('leaves'), undefined)
      assert.deepEqual(await archive.channelsById([id]), [])
      assert.deepEqual((await archive.channels(browse())).items, [])
      assert.equal(await archive.post(id, 1), undefined)
      assert.equal(await archive.post(id, 4), undefined)
      assert.deepEqual(await archive.versions({ channelId: id, number: 1 }), [])
      assert.deepEqual(await walk(store, listOf(id, { words: wordsOf(['post']) })), [])
      assert.deepEqual(await archive.numbersBetween(id, 1, 9), [])
      assert.deepEqual(await store.frontier.gaps(id), [])
      assert.equal(await store.frontier.schedule(id), undefined)
      assert.deepEqual(await archive.languages(NOON), [])
      assert.equal((await archive.totals()).posts, 0)
      assert.deepEqual(await drained(store), [`channel ${id}`])
      assert.deepEqual(await store.verify(), [])
    })

    test('a removed channel is refused by name and by numeric id, under any later name', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'first_name')
      await archive.record(
        sampleReading(id, { profile: sampleProfile('first_name', { platformId: 9 }) }),
      )
      await removals.removeChannel('first_name', 'owner asked', NOON)
      assert.deepEqual(await archive.addChannel('First_Name', { at: NOON, status: 'imported' }), {
        outcome: 'removed',
      })
      const { id: again } = await addChannel(store, 'second_name')
      const profile = sampleProfile('second_name', { platformId: 9 })
      const result = await archive.record(sampleReading(again, { profile, posts: [samplePost(1)] }))
      assert.deepEqual(result, { ...NOTHING_WRITTEN, refused: 1 })
      assert.equal(await archive.channel('second_name'), undefined)
      assert.equal((await removals.find({ name: 'SECOND_name' }))?.reason, 'owner asked')
      assert.equal((await removals.find({ platformId: 9 }))?.name, 'first_name')
      assert.deepEqual(await take(store, { eager: true }), [])
    })

    test('removing a channel that took over a name does not affect the former owner', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'released')
      const read = (platformId: number, at: number, username = 'released') =>
        archive.record(
          sampleReading(id, {
            at,
            profile: sampleProfile(username, { platformId }),
            posts: [samplePost(at - NOON + 1)],
          }),
        )
      await read(1, NOON)
      await read(2, NOON + 1)
      await removals.removeChannel('released', 'asked', NOON + 2)
      const [former] = await archive.channelsById([id])
      assert.deepEqual([former?.platformId, former?.posts, former?.status], [1, 1, 'gone'])
      assert.equal(await removals.find({ platformId: 1 }), undefined)
      // It comes back under the name that is registered for the other channel: it is refused, and nothing is erased.
      assert.deepEqual(await read(1, NOON + 3), { ...NOTHING_WRITTEN, refused: 1 })
      assert.equal((await archive.channelsById([id]))[0]?.posts, 1)
      await removals.resume()
      assert.equal((await archive.totals()).posts, 1)
      assert.deepEqual(await store.verify(), [])
    })

    test('a name that now shows a removed channel does not remove the channel it showed before', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'victim')
      const { id: other } = await addChannel(store, 'removed_one')
      const profile = sampleProfile('victim', { platformId: 1 })
      await archive.record(sampleReading(id, { profile, posts: [samplePost(1)] }))
      const shown = sampleProfile('removed_one', { platformId: 2 })
      await archive.record(sampleReading(other, { profile: shown, posts: [samplePost(1)] }))
      await removals.removeChannel('removed_one', 'asked', NOON)
      const reading = sampleReading(id, { at: NOON + 1, profile: { ...profile, platformId: 2 } })
      await archive.record(reading)
      const [victim] = await archive.channelsById([id])
      assert.deepEqual([victim?.posts, victim?.status], [1, 'gone'])
      assert.equal(await archive.channel('victim'), undefined)
      assert.deepEqual(await take(store, { eager: true }), [], 'its name is never asked for again')
    })

    test('a channel that is removed while it is added counts as removed, or is told as it was', async () => {
      const { archive, removals } = (await open()).store
      const [added] = await Promise.all([
        archive.addChannel('leaves', { at: NOON, status: 'queued' }),
        removals.removeChannel('leaves', 'asked', NOON),
      ])
      if (added.outcome !== 'removed') assert.equal(added.channel?.username, 'leaves')
      assert.equal(await archive.channel('leaves'), undefined)
    })

    test('a channel can be removed before it was ever archived', async () => {
      const { store } = await open()
      assert.deepEqual(await store.removals.removeChannel('Unseen', 'asked', NOON), { posts: 0 })
      assert.deepEqual(await store.removals.removeChannel('unseen', 'asked again', NOON + 1), {
        posts: 0,
      })
      const added = await store.archive.addChannel('unseen', { at: NOON, status: 'queued' })
      assert.equal(added.outcome, 'removed')
      assert.deepEqual(await store.removals.list(), [
        { name: 'unseen', platformId: null, number: null, reason: 'asked', removedAt: NOON },
      ])
      assert.equal(await store.removals.find({ name: 'other', platformId: null }), undefined)
    })

    test('an undone removal admits the channel again, under all its names', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'returns')
      const read = (name: string, at: number) =>
        store.archive.record(
          sampleReading(id, { at, profile: sampleProfile(name, { platformId: 3 }) }),
        )
      await read('returns', NOON)
      await read('returns_now', NOON + 1)
      await store.removals.removeChannel('returns_now', 'asked', NOON + 2)
      assert.equal((await store.removals.find({ name: 'returns' }))?.platformId, 3)
      assert.equal(await store.removals.undo('Returns_Now', null), true)
      assert.equal(await store.removals.undo('returns_now', null), false)
      assert.deepEqual(await store.removals.list(), [])
      const added = await store.archive.addChannel('returns', { at: NOON, status: 'queued' })
      assert.equal(added.outcome, 'added')
    })

    test('a removed post is erased with its album and never recorded again', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'one_post')
      const album = samplePost(5, { albumNumbers: [5, 6] })
      await archive.record(sampleReading(id, { posts: [samplePost(1), album] }))
      await drained(store)
      assert.deepEqual(await removals.removePost('one_post', 6, 'asked', NOON), { posts: 1 })
      assert.equal(await archive.post(id, 5), undefined)
      assert.equal((await archive.channel('one_post'))?.posts, 1)
      assert.deepEqual(await drained(store), [`post ${id}/5`])
      const again = sampleReading(id, {
        at: NOON + 1,
        posts: [album, samplePost(6), samplePost(7)],
      })
      const result = await archive.record(again)
      assert.deepEqual([result.added, result.refused], [[7], 2])
      const removed = (name: string, ...numbers: number[]) =>
        removals.removed({ names: [name] }, numbers)
      assert.deepEqual(await removed('ONE_POST', 4, 5, 7), { channel: false, numbers: [5] })
      assert.deepEqual(await removed('someone_else', 5), { channel: false, numbers: [] })
      assert.equal(
        await removals.find({ name: 'one_post' }),
        undefined,
        'the channel itself is not removed',
      )
      assert.equal(await removals.undo('one_post', 6), true)
      assert.deepEqual((await archive.record({ ...again, posts: [album] })).added, [5])
    })

    test('a post removed before the channel’s numeric id was known stays removed when another takes its name', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'old_name')
      await archive.record(sampleReading(id, { posts: [samplePost(5)] }))
      await removals.removePost('old_name', 5, 'asked', NOON)
      const read = (channelId: number, at: number, username: string, platformId: number) =>
        archive.record(
          sampleReading(channelId, {
            at,
            profile: sampleProfile(username, { platformId }),
            posts: [samplePost(5), samplePost(6)],
          }),
        )
      assert.equal((await read(id, NOON + 1, 'old_name', 7)).refused, 1)
      assert.equal((await read(id, NOON + 2, 'new_name', 7)).refused, 1)
      const { id: other } = await addChannel(store, 'other_name')
      await read(other, NOON + 3, 'other_name', 8)
      await read(other, NOON + 4, 'old_name', 8)
      assert.equal((await archive.channel('old_name'))?.id, other)
      assert.equal((await read(id, NOON + 5, 'new_name', 7)).refused, 1)
      assert.equal(await archive.post(id, 5), undefined)
    })

    test('a post removed before its channel was archived stays removed under a name that the channel takes later', async () => {
      const { store } = await open()
      const { archive, removals } = store
      await removals.removePost('unseen', 5, 'asked', NOON)
      const { id } = await addChannel(store, 'known_name')
      const read = (channelId: number, at: number, username: string, platformId: number) =>
        archive.record(
          sampleReading(channelId, {
            at,
            profile: sampleProfile(username, { platformId }),
            posts: [samplePost(5)],
          }),
        )
      await read(id, NOON, 'known_name', 1)
      // The name shows another channel by now, which is also called otherwise.
      assert.equal((await read(id, NOON + 1, 'unseen', 2)).refused, 1)
      const unseen = (await archive.channel('unseen'))!
      assert.equal((await read(unseen.id, NOON + 2, 'later_name', 2)).refused, 1)
      const { id: other } = await addChannel(store, 'third_name')
      await read(other, NOON + 3, 'unseen', 3)
      assert.equal((await archive.channel('unseen'))?.platformId, 3)
      assert.equal((await read(unseen.id, NOON + 4, 'later_name', 2)).refused, 1)
    })

    test('a post removed from a channel is not removed from another that takes over its name', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'old_name')
      const read = (channelId: number, at: number, username: string, platformId: number) =>
        archive.record(
          sampleReading(channelId, {
            at,
            profile: sampleProfile(username, { platformId }),
            posts: [samplePost(5)],
          }),
        )
      await read(id, NOON, 'old_name', 7)
      await removals.removePost('old_name', 5, 'asked', NOON)
      const shown = async (platformId: number) =>
        (await removals.removed({ names: ['old_name'], platformIds: [platformId] }, [5])).numbers
      assert.deepEqual(await shown(70), [5], 'a page may show an id in another form')
      const { id: other } = await addChannel(store, 'other_name')
      assert.deepEqual((await read(other, NOON + 1, 'other_name', 8)).added, [5])
      await read(other, NOON + 2, 'old_name', 8)
      assert.equal((await archive.channel('old_name'))?.id, other)
      const changed = sampleReading(other, {
        at: NOON + 3,
        posts: [samplePost(5, { text: 'new' })],
      })
      assert.deepEqual((await archive.record(changed)).changed, [5])
      const restored = { name: 'old_name', platformId: 9 }
      await store.run((draft) => planNumbersRemoval(draft, restored, [5], NOON + 4))
      assert.equal((await archive.post(other, 5))?.text, 'new')
      assert.deepEqual(await shown(8), [])
      assert.deepEqual(await shown(7), [5])
    })

    test('a removed post that another name of its channel still had is erased as a removal when the two are merged', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const profile = (name: string) => sampleProfile(name, { platformId: 7 })
      const posts = [samplePost(1), samplePost(2)]
      const known = await addChannel(store, 'known_name')
      await archive.record(sampleReading(known.id, { profile: profile('known_name'), posts }))
      const twin = await addChannel(store, 'other_name')
      await archive.record(sampleReading(twin.id, { posts }))
      await removals.removePost('known_name', 2, 'asked', NOON)
      const before = (await archive.totals()).removals
      await archive.record(sampleReading(twin.id, { at: NOON + 1, profile: profile('other_name') }))
      assert.deepEqual(await archive.numbersBetween(known.id, 1, 9), [1])
      assert.deepEqual(await archive.numbersBetween(twin.id, 1, 9), [])
      assert.equal((await archive.totals()).removals, before + 1, 'the index is to erase it, too')
    })

    test('a channel whose posts are all still to be moved to it is erased as a removal', async () => {
      const { store } = await open()
      const { archive, removals, retention } = store
      const profile = (name: string) => sampleProfile(name, { platformId: 7 })
      const known = await addChannel(store, 'known_name')
      await archive.record(sampleReading(known.id, { profile: profile('known_name') }))
      const twin = await addChannel(store, 'other_name')
      await archive.record(sampleReading(twin.id, { posts: [samplePost(1)] }))
      const merging = sampleReading(twin.id, { at: NOON + 1, profile: profile('other_name') })
      await store.run((draft) => planReading(draft, merging, retention))
      const before = (await archive.totals()).removals
      assert.deepEqual(await removals.removeChannel('known_name', 'asked', NOON + 2), { posts: 1 })
      assert.equal((await archive.totals()).removals, before + 1, 'the index is to erase it, too')
    })

    test('a removed post is found by the numeric id of its channel, even under a name not seen yet', async () => {
      const { store } = await open()
      const { archive, removals } = store
      const { id } = await addChannel(store, 'old_name')
      await archive.record(sampleReading(id, { posts: [samplePost(5)] }))
      await removals.removePost('old_name', 5, 'asked', NOON)
      const profile = sampleProfile('old_name', { platformId: 7 })
      await archive.record(sampleReading(id, { at: NOON + 1, profile }))
      const shown = { names: ['new_name'], platformIds: [7] }
      assert.deepEqual(await removals.removed(shown, [4, 5]), { channel: false, numbers: [5] })
    })
  })
}
