import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentSha256 } from '../../model/content-hash.ts'
import { makeMedia, type Post } from '../../model/post.ts'
import { importHistories } from '../import-histories.ts'
import { MAX_TRIES, type PictureFile, type WantedPicture } from '../pictures.ts'
import type { Store } from '../store.ts'
import {
  DAY,
  HOUR,
  MINUTE,
  NOON,
  addChannel,
  samplePost,
  sampleProfile,
  sampleReading,
  type OpenStore,
} from './samples.ts'

const HOST = 'https://cdn4.telesco.pe/file'
const TODAY = Math.floor(NOON / DAY)

/** A photo with that id; its address differs from day to day. */
function photo(fileId: string, day = 0) {
  return makeMedia('photo', { url: `${HOST}/${fileId}-${day}.jpg`, fileId })
}

function picturePost(number: number, ...ids: string[]): Post {
  return samplePost(number, { media: ids.map((id) => photo(id)) })
}

function sampleFile(letter: string, bytes = 100): PictureFile {
  return { sha256: letter.repeat(64), type: 'jpeg', bytes, width: 8, height: 6 }
}

async function record(store: Store, channelId: number, posts: readonly Post[], at = NOON) {
  await store.archive.record(sampleReading(channelId, { posts, at }))
}

/** Keeps a file for the picture that is wanted for that post. */
async function keep(store: Store, channelId: number, number: number, file: PictureFile) {
  const due = await store.pictures.due(NOON + 400 * DAY, 100)
  const found = due.find((row) => row.channelId === channelId && row.number === number)
  assert.ok(found, `${number} is wanted`)
  assert.equal(await store.pictures.keep(found, file, NOON), true)
}

const places = (rows: readonly { number: number; slot: number }[]) =>
  rows.map(({ number, slot }) => `${number}/${slot}`)

export function describePictures(open: OpenStore): void {
  const openKeeping = async (retention: Parameters<OpenStore>[0] = {}) => {
    const opened = await open({ pictures: true, ...retention })
    const { id } = await addChannel(opened.store, 'first_name')
    return { ...opened, id, pictures: opened.store.pictures }
  }

  describe('pictures', () => {
    test('pictures of a reading are wanted, latest first, and none where pictures are not kept', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a', 'b'), samplePost(2)])
      await record(store, id, [picturePost(3, 'c')], NOON + MINUTE)
      assert.deepEqual(places(await pictures.due(NOON + MINUTE, 10)), ['3/0', '1/0', '1/1'])
      assert.deepEqual(places(await pictures.due(NOON, 1)), ['1/0'])
      const other = (await open()).store
      const { id: otherId } = await addChannel(other, 'first_name')
      await record(other, otherId, [picturePost(1, 'a')])
      assert.deepEqual(await other.pictures.due(NOON + DAY, 10), [])
    })

    test('pictures of an imported post are wanted too, but none of a redacted one', async () => {
      const { store, pictures, id } = await openKeeping()
      const told = (number: number, deletedAt: number | null) => {
        const times = { firstCapturedAt: NOON, lastCapturedAt: NOON, deletedAt, revision: 1 }
        const how = { capture: 'import', parserVersion: 0, language: null } as const
        const post = { ...picturePost(number, 'a'), ...times, ...how, channelId: id }
        return { post: { ...post, contentSha256: contentSha256(post) }, versions: [] }
      }
      await importHistories(store, id, [told(1, null), told(2, NOON)], NOON)
      assert.deepEqual(places(await pictures.due(NOON, 10)), ['1/0'])
    })

    test('a kept picture is found by its post and by its hash', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a'), picturePost(2, 'b')])
      const file = sampleFile('a')
      await keep(store, id, 1, file)
      await keep(store, id, 2, file)
      const kept = await pictures.of([1, 2, 3].map((number) => ({ channelId: id, number })))
      assert.deepEqual(
        kept.map(({ number, slot, file: its }) => [number, slot, its]),
        [
          [1, 0, file],
          [2, 0, file],
        ],
      )
      assert.deepEqual(await pictures.file(file.sha256), file)
      assert.equal(await pictures.file('0'.repeat(64)), undefined)
      assert.deepEqual(await pictures.sample(10), [file])
      assert.deepEqual(await pictures.used([file.sha256, '0'.repeat(64)]), new Set([file.sha256]))
      const { files, bytes, waiting, missing } = await pictures.totals(TODAY)
      assert.deepEqual(
        { files, bytes, waiting, missing },
        { files: 1, bytes: 100, waiting: 0, missing: 0 },
      )
      assert.deepEqual(await pictures.unused(10), [])
    })

    test('a kept picture is not wanted again at a new address, but a new picture is', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a')])
      await keep(store, id, 1, sampleFile('a'))
      await record(store, id, [samplePost(1, { media: [photo('a', 1)] })], NOON + DAY)
      assert.deepEqual(await pictures.due(NOON + 2 * DAY, 10), [])
      await record(store, id, [samplePost(1, { media: [photo('b')] })], NOON + 2 * DAY)
      assert.deepEqual(places(await pictures.due(NOON + 2 * DAY, 10)), ['1/0'])
      assert.deepEqual(
        await pictures.of([{ channelId: id, number: 1 }]),
        [],
        'it is of an earlier version',
      )
      assert.deepEqual(await pictures.unused(10), ['a'.repeat(64)])
      await record(store, id, [samplePost(1, { media: [] })], NOON + 3 * DAY)
      assert.deepEqual(await pictures.due(NOON + 4 * DAY, 10), [], 'its author took it away')
    })

    test('a failed picture is retried later or at a new address, a refused one never', async () => {
      const { store, pictures, id } = await openKeeping()
      const first = async (now: number) => (await pictures.due(now, 10))[0] as WantedPicture
      await record(store, id, [picturePost(1, 'a')])
      await pictures.miss(await first(NOON), { kind: 'failed', retryAt: NOON + MINUTE })
      assert.deepEqual(await pictures.due(NOON, 10), [])
      assert.equal((await first(NOON + MINUTE)).tries, 1)
      await pictures.miss(await first(NOON + MINUTE), { kind: 'put_off', retryAt: NOON + HOUR })
      assert.deepEqual(await pictures.due(NOON + MINUTE, 10), [])
      assert.equal((await first(NOON + HOUR)).tries, 1, 'it was not its fault')
      await pictures.miss(await first(NOON + HOUR), { kind: 'failed', retryAt: null })
      assert.deepEqual(await pictures.due(NOON + DAY, 10), [])
      assert.equal((await pictures.totals(TODAY)).missing, 1)
      await record(store, id, [samplePost(1, { media: [photo('a', 1)] })], NOON + DAY)
      assert.equal((await first(NOON + DAY)).tries, 2)
      await pictures.miss(await first(NOON + DAY), { kind: 'refused' })
      await record(store, id, [samplePost(1, { media: [photo('a', 2)] })], NOON + 2 * DAY)
      assert.deepEqual(await pictures.due(NOON + 3 * DAY, 10), [])
    })

    test('a picture that fails at every address is given up', async () => {
      const { store, pictures, id } = await openKeeping()
      for (let day = 0; day < MAX_TRIES + 2; day++) {
        const at = NOON + day * DAY
        await record(store, id, [samplePost(1, { media: [photo('a', day)] })], at)
        const [wanted] = await pictures.due(at, 1)
        assert.equal(wanted !== undefined, day < MAX_TRIES, `day ${day}`)
        if (wanted) await pictures.miss(wanted, { kind: 'failed', retryAt: null })
      }
    })

    test('a removed post drops its files, except for those that another post uses', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a'), picturePost(2, 'b'), picturePost(3, 'c')])
      await keep(store, id, 1, sampleFile('a'))
      await keep(store, id, 2, sampleFile('a'))
      await keep(store, id, 3, sampleFile('c'))
      await store.removals.removePost('first_name', 1, 'asked', NOON)
      await store.removals.removePost('first_name', 3, 'asked', NOON)
      assert.equal(await pictures.file('c'.repeat(64)), undefined, 'at once')
      assert.deepEqual(await pictures.unused(10), ['c'.repeat(64)])
      assert.deepEqual(await pictures.unused(10), ['c'.repeat(64)], 'until it is forgotten')
      await pictures.forget(['c'.repeat(64)], NOON)
      assert.deepEqual(await pictures.unused(10), [])
      assert.ok(await pictures.file('a'.repeat(64)))
      assert.equal((await pictures.totals(TODAY)).files, 1)
    })

    test('a removed channel drops all of its files', async () => {
      const { store, pictures, id } = await openKeeping()
      const profile = sampleProfile('first_name', { avatarUrl: `${HOST}/me.jpg` })
      const posts = [picturePost(1, 'a'), picturePost(2, 'b')]
      await store.archive.record(sampleReading(id, { posts, profile }))
      await keep(store, id, 0, sampleFile('d'))
      await keep(store, id, 1, sampleFile('a'))
      await store.removals.removeChannel('first_name', 'asked', NOON)
      assert.deepEqual(await pictures.due(NOON + DAY, 10), [])
      assert.deepEqual([...(await pictures.unused(10))].toSorted(), [
        'a'.repeat(64),
        'd'.repeat(64),
      ])
      const { files, bytes, waiting, missing } = await pictures.totals(TODAY)
      assert.deepEqual(
        { files, bytes, waiting, missing },
        { files: 0, bytes: 0, waiting: 0, missing: 0 },
      )
    })

    test('a deleted post loses its pictures together with its text, or keeps both', async () => {
      for (const deleted of ['redact', 'keep'] as const) {
        const { store, pictures, id } = await openKeeping({ deleted })
        await record(store, id, [picturePost(1, 'a')])
        await keep(store, id, 1, sampleFile('a'))
        await store.archive.record(sampleReading(id, { deleted: [1], at: NOON + MINUTE }))
        assert.equal(
          (await pictures.file('a'.repeat(64))) !== undefined,
          deleted === 'keep',
          deleted,
        )
        assert.equal((await pictures.unused(10)).length, deleted === 'keep' ? 0 : 1, deleted)
      }
    })

    test('a pruned post drops its pictures', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a')])
      await keep(store, id, 1, sampleFile('a'))
      assert.equal(await store.archive.prune(NOON + DAY, 10), 1)
      assert.deepEqual(await pictures.unused(10), ['a'.repeat(64)])
    })

    test('a file that arrives after its post was removed is not kept', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a')])
      const [wanted] = await pictures.due(NOON, 1)
      await store.removals.removePost('first_name', 1, 'asked', NOON)
      assert.equal(await pictures.keep(wanted!, sampleFile('a'), NOON), false)
      assert.equal(await pictures.file('a'.repeat(64)), undefined)
      assert.deepEqual(await pictures.unused(10), ['a'.repeat(64)])
    })

    test('an unused file that is kept again is no longer unused', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a'), picturePost(2, 'b')])
      await keep(store, id, 1, sampleFile('a'))
      await store.removals.removePost('first_name', 1, 'asked', NOON)
      assert.deepEqual(await pictures.unused(10), ['a'.repeat(64)])
      await keep(store, id, 2, sampleFile('a'))
      assert.deepEqual(await pictures.unused(10), [])
      assert.deepEqual(await pictures.file('a'.repeat(64)), sampleFile('a'))
    })

    test('a picture that was given a file while it was being erased is wanted again', async () => {
      const { store, pictures, id } = await openKeeping()
      await record(store, id, [picturePost(1, 'a'), picturePost(2, 'b')])
      await keep(store, id, 1, sampleFile('a'))
      await store.removals.removePost('first_name', 1, 'asked', NOON)
      const unused = await pictures.unused(10)
      await keep(store, id, 2, sampleFile('a'))
      await pictures.forget(unused, NOON + MINUTE)
      assert.deepEqual(places(await pictures.due(NOON + MINUTE, 10)), ['2/0'])
      assert.deepEqual(await pictures.of([{ channelId: id, number: 2 }]), [])
      const { files, waiting } = await pictures.totals(TODAY)
      assert.deepEqual([files, waiting], [0, 1])
      assert.deepEqual(await store.verify(), [])
    })

    test('the picture of a channel is fetched once a week, and shown until the next one is there', async () => {
      const { store, pictures, id } = await openKeeping()
      const read = async (day: number) => {
        const profile = sampleProfile('first_name', { avatarUrl: `${HOST}/${day}.jpg` })
        await store.archive.record(sampleReading(id, { profile, at: NOON + day * DAY }))
        return (await pictures.due(NOON + day * DAY, 10)).length
      }
      assert.equal(await read(0), 1)
      await keep(store, id, 0, sampleFile('a'))
      assert.equal(await read(8), 1)
      assert.equal((await pictures.of([{ channelId: id, number: 0 }])).length, 1)
      await keep(store, id, 0, sampleFile('b'))
      assert.deepEqual(await pictures.unused(10), ['a'.repeat(64)])
      assert.equal((await pictures.of([{ channelId: id, number: 0 }]))[0]?.file.sha256[0], 'b')
    })

    test('two merged channels keep the pictures of both', async () => {
      const { store, pictures, id } = await openKeeping()
      const { id: other } = await addChannel(store, 'second_name')
      const as = (username: string) => sampleProfile(username, { platformId: 1001 })
      await store.archive.record(
        sampleReading(id, { posts: [picturePost(1, 'a')], profile: as('first_name') }),
      )
      await keep(store, id, 1, sampleFile('a'))
      await record(store, other, [picturePost(2, 'b')])
      await keep(store, other, 2, sampleFile('b'))
      const joined = sampleReading(other, { profile: as('second_name'), at: NOON + MINUTE })
      await store.archive.record(joined)
      await store.removals.resume()
      const channel = await store.archive.channel('second_name')
      const refs = [1, 2].map((number) => ({ channelId: channel!.id, number }))
      const kept = await pictures.of(refs)
      assert.deepEqual(
        kept.map(({ number, file }) => [number, file.sha256[0]]),
        [
          [1, 'a'],
          [2, 'b'],
        ],
      )
      assert.deepEqual(await pictures.unused(10), [])
    })

    test('the bytes fetched are counted per day', async () => {
      const { pictures } = await openKeeping()
      await pictures.spend(TODAY, 700)
      await pictures.spend(TODAY, 50)
      await pictures.spend(TODAY + 1, 1)
      assert.equal((await pictures.totals(TODAY)).dayBytes, 750)
      assert.equal((await pictures.totals(TODAY + 1)).dayBytes, 1)
      assert.equal((await pictures.totals(TODAY + 2)).dayBytes, 0)
    })
  })
}
