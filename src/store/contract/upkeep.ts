import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Store } from '../store.ts'
import {
  DAY,
  NOON,
  addChannel,
  hashtagged,
  samplePost,
  sampleReading,
  type OpenStore,
} from './samples.ts'

/** What operators and maintenance ask of a store. */
export function describeUpkeep(open: OpenStore): void {
  describe('upkeep', () => {
    test('a store reports its own time', async () => {
      const { store, setNow } = await open()
      assert.equal(await store.ping(), NOON)
      setNow(NOON + DAY)
      assert.equal(await store.ping(), NOON + DAY)
    })

    test('a store describes its kind, version and location without a password', async () => {
      const { kind, version, schemaVersion, location } = await (await open()).store.describe()
      for (const word of [kind, version, location]) assert.notEqual(word, '')
      assert.ok(Number.isInteger(schemaVersion) && schemaVersion >= 0)
      assert.doesNotMatch(location, /@/)
    })

    test('verify reports its progress, and no problem in an intact store', async () => {
      const store = await filled(open)
      const steps: number[] = []
      let all = 0
      const problems = await store.verify((done, total) => {
        steps.push(done)
        all = total
      })
      assert.deepEqual(problems, [])
      assert.deepEqual(
        steps,
        Array.from({ length: all }, (_, i) => i + 1),
      )
    })

    test('tidying changes no answer, however often it runs', async () => {
      const { store, setNow } = await open()
      await fill(store)
      const later = NOON + 90 * DAY
      setNow(later)
      const before = await shown(store, later)
      for (let round = 0; round < 2; round++) {
        await store.tidy?.()
        assert.deepEqual(await shown(store, later), before)
      }
      await fill(store, 'later')
      assert.deepEqual(await store.verify(), [])
    })

    test('the size of the store’s files grows by what is written, and not by much more', async () => {
      const { store } = await open()
      const { files } = store
      if (!files) return
      const { id } = await addChannel(store, 'large')
      const before = await files.bytes()
      const posts = Array.from({ length: 500 }, (_, i) =>
        samplePost(i + 1, { text: randomBytes(1_000).toString('hex') }),
      )
      await store.archive.record(sampleReading(id, { posts }))
      const grown = (await files.bytes()) - before
      // Half as many bytes hold the same if the store compresses them.
      assert.ok(grown > 500_000 && grown < 5_000_000, `${grown} bytes`)
    })
  })
}

async function filled(open: OpenStore): Promise<Store> {
  const { store } = await open()
  await fill(store)
  return store
}

async function fill(store: Store, name = 'kept'): Promise<void> {
  const { id } = await addChannel(store, name)
  const posts = [hashtagged(1, 'Ёлка'), samplePost(2), samplePost(3, { text: 'deleted' })]
  await store.archive.record(sampleReading(id, { posts }))
  await store.archive.record(sampleReading(id, { at: NOON + 1, posts: [], deleted: [3] }))
  const derived = { language: 'ru', detectedLanguage: 'ru', languageWeight: 1, terms: [1], has: [] }
  await store.archive.saveDerived([{ channelId: id, number: 1, revision: 1, ...derived }])
}

async function shown({ archive }: Store, now: number) {
  const channel = (await archive.channel('kept'))!
  return [
    channel,
    await archive.stats(channel.id, now),
    await archive.stats(channel.id, NOON),
    await archive.languages(now),
    await archive.totals(),
  ]
}
