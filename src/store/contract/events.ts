import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENTS_KEPT_MS, NEWS_MS, type PostEvent, type LoggedPost } from '../events.ts'
import type { Store } from '../store.ts'
import {
  addChannel,
  DAY,
  HOUR,
  NOON,
  samplePost,
  sampleReading,
  type OpenStore,
} from './samples.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (document: Uint8Array | null) => document && Buffer.from(document).toString()

function told({ seq, kind, number, document, before }: PostEvent): string {
  return [seq, kind, number, text(document), text(before)].join(' ')
}

export function describeEvents(open: OpenStore): void {
  async function setUp() {
    const { store, setNow } = await open()
    setNow(NOON)
    const { id } = await addChannel(store, 'told')
    const posts = Array.from({ length: 9 }, (_, i) => samplePost(i + 1))
    await store.archive.record(sampleReading(id, { posts }))
    const post = (number: number, fields: Partial<LoggedPost> = {}): LoggedPost => ({
      channelId: id,
      number,
      revision: 1,
      publishedAt: NOON,
      firstCapturedAt: NOON,
      document: () => bytes(`text${number}`),
      ...fields,
    })
    return { store, setNow, id, post }
  }
  const all = async (store: Store) => (await store.events.after(0, 100)).map(told)

  describe('events', () => {
    test('are numbered in order of arrival, and a repeated batch adds none', async () => {
      const { store, post } = await setUp()
      assert.equal(await store.events.append([post(2), post(1)]), 2)
      assert.equal(await store.events.append([post(2), post(1), post(3)]), 1)
      assert.deepEqual(await all(store), ['1 post 2 text2 ', '2 post 1 text1 ', '3 post 3 text3 '])
      const [second] = await store.events.after(1, 1)
      assert.deepEqual([second!.seq, second!.at], [2, NOON])
      const { last, forgotten } = await store.events.bounds()
      assert.deepEqual({ last, forgotten }, { last: 3, forgotten: 0 })
    })

    test('of edits and deletions contain the post as it was before', async () => {
      const { store, post, id } = await setUp()
      const edited = post(1, { revision: 2, document: () => bytes('other') })
      await store.events.append([post(1), post(2)])
      await store.events.append([edited])
      await store.events.append([edited, post(1), post(1, { revision: 2, document: null })])
      assert.equal(await store.events.append([post(1, { document: null })]), 0, 'gone already')
      assert.equal(await store.events.append([post(3, { document: null })]), 0, 'never told')
      const own = await store.events.of([{ channelId: id, number: 1 }])
      const expected = ['1 post 1 text1 ', '3 edit 1 other text1', '4 deleted 1  other']
      assert.deepEqual(own.map(told), expected)
      await store.events.append([post(1, { revision: 3 })])
      assert.equal((await all(store)).at(-1), '5 post 1 text1 ', 'it came back')
    })

    test('of one post within a batch are appended in order', async () => {
      const { store, post } = await setUp()
      await store.events.append([post(1), post(1, { revision: 2 }), post(1, { document: null })])
      const kinds = (await store.events.after(0, 9)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ['post', 'edit', 'deleted'])
    })

    test('are not appended for posts captured long after publication or long ago', async () => {
      const { store, post, setNow } = await setUp()
      const old = post(1, { publishedAt: NOON - NEWS_MS - 1 })
      const late = post(2, { publishedAt: NOON - NEWS_MS })
      assert.equal(await store.events.append([old, late]), 1)
      setNow(NOON + EVENTS_KEPT_MS + 1)
      assert.equal(await store.events.append([post(3), post(3, { revision: 2 })]), 0)
      assert.equal(await store.events.append([post(2, { revision: 2 })]), 1, 'it is still known')
    })

    test('are pruned oldest first, in steps, and positions stay valid', async () => {
      const { store, post, setNow } = await setUp()
      await store.events.append([post(1), post(2), post(3)])
      setNow(NOON + HOUR)
      await store.events.append([post(4)])
      const { log } = await store.events.bounds()
      assert.equal(await store.events.prune(NOON + 1, 2), 2)
      assert.deepEqual(await store.events.bounds(), { log, last: 4, forgotten: 2 })
      assert.equal(await store.events.prune(NOON + 1, 2), 1)
      assert.equal(await store.events.prune(NOON + 1, 2), 0)
      assert.deepEqual(await all(store), ['4 post 4 text4 '])
      await store.events.prune(NOON + 2 * HOUR, 2)
      assert.deepEqual(await store.events.bounds(), { log, last: 4, forgotten: 4 })
      await store.events.append([post(5)])
      assert.deepEqual(await all(store), ['5 post 5 text5 '])
    })

    test('keep their positions when the log is renamed', async () => {
      const { store, post } = await setUp()
      await store.events.append([post(1)])
      const before = await store.events.bounds()
      await store.events.rename()
      const { log, ...rest } = await store.events.bounds()
      assert.notEqual(log, before.log)
      assert.deepEqual({ log: before.log, ...rest }, before)
      assert.equal(await store.events.append([post(1), post(2)]), 1)
      assert.deepEqual(await all(store), ['1 post 1 text1 ', '2 post 2 text2 '])
    })

    test('dated by a clock that was a year ahead do not prevent others from being pruned', async () => {
      const { store, post, setNow } = await setUp()
      await store.events.append([post(1)])
      setNow(NOON + 400 * DAY)
      await store.events.append([
        post(2, { publishedAt: NOON + 400 * DAY, firstCapturedAt: NOON + 400 * DAY }),
      ])
      setNow(NOON + HOUR)
      await store.events.append([post(3)])
      setNow(NOON + 2 * HOUR)
      await store.events.append([post(4)])
      assert.equal(await store.events.prune(NOON, 9), 0, 'it goes when its turn comes')
      assert.equal(await store.events.prune(NOON + 2 * HOUR, 9), 3)
      assert.deepEqual(await all(store), ['4 post 4 text4 '])
      assert.equal((await store.events.bounds()).forgotten, 3)
    })

    test('are erased by a removal, and none read before it is appended afterwards', async () => {
      const { store, post, id } = await setUp()
      await store.events.append([post(1), post(2), post(3)])
      await store.removals.removePost('told', 2, 'asked', NOON)
      assert.equal(await store.events.append([post(2, { revision: 2 })]), 0)
      assert.deepEqual(await all(store), ['1 post 1 text1 ', '3 post 3 text3 '])
      await store.removals.removeChannel('told', 'asked', NOON)
      assert.equal(await store.events.append([post(1, { revision: 2 }), post(4)]), 0)
      assert.deepEqual(await all(store), [])
      assert.deepEqual(await store.events.of([{ channelId: id, number: 1 }]), [])
      assert.equal((await store.events.bounds()).last, 3)
    })

    test('have no gaps and no duplicates when appended concurrently', async () => {
      const { store, post } = await setUp()
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9]
      await Promise.all(
        numbers.flatMap((number) => [
          store.events.append([post(number)]),
          store.events.append([post(number), post((number % 9) + 1)]),
        ]),
      )
      const found = await store.events.after(0, 100)
      assert.deepEqual(
        found.map(({ seq }) => seq),
        numbers,
      )
      assert.deepEqual(
        found.map(({ number }) => number).toSorted((a, b) => a - b),
        numbers,
      )
    })
  })
}
