import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reading } from '../archive.ts'
import type { Store } from '../store.ts'
import {
  DAY,
  HOUR,
  NOON,
  addChannel,
  count,
  samplePost,
  sampleProfile,
  sampleReading,
  type OpenStore,
} from './samples.ts'

const TODAY = Math.floor(NOON / DAY)

/** For example `0: 100, 20`: days from today, subscribers, views. */
async function grown(store: Store, channelId: number, now = NOON): Promise<string[]> {
  const { growth } = await store.archive.stats(channelId, now)
  return growth.map(({ day, subscribers, views }) => `${day - TODAY}: ${subscribers}, ${views}`)
}

/** Records a page with these subscribers and views of posts; the newest post is an hour old, each further one a day older. */
function read(
  store: Store,
  channelId: number,
  at: number,
  subscribers: number | null,
  views: readonly number[] = [],
  fields: Partial<Reading> = {},
) {
  const profile = sampleProfile('grows', {
    subscribers: subscribers === null ? null : count(subscribers, at),
  })
  const posts = views.map((seen, i) =>
    samplePost(100 - i, { publishedAt: at - HOUR - i * DAY, views: count(seen, at) }),
  )
  return store.archive.record(sampleReading(channelId, { at, profile, posts, ...fields }))
}

/** What is kept for each day. */
export function describeGrowth(open: OpenStore): void {
  describe('growth', () => {
    test('is one value per day, the last of each', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 9 * DAY)
      await read(store, id, NOON - 3 * DAY, 100, [10])
      await read(store, id, NOON - HOUR, 110, [5, 10])
      await read(store, id, NOON, 120, [10, 30, 20])
      assert.deepEqual(await grown(store, id), ['-3: 100, 10', '0: 120, 20'])
      assert.deepEqual(await grown(store, id, NOON - DAY), ['-3: 100, 10'])
    })

    test('uses the views of the posts of one week', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 9 * DAY)
      await read(store, id, NOON, 100, [1, 2, 3, 4, 5, 6, 7, 800, 900])
      assert.deepEqual(await grown(store, id), ['0: 100, 4'])
    })

    test('keeps values that a later reading of the same day lacks', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 9 * DAY)
      await read(store, id, NOON, 100, [10])
      await read(store, id, NOON + HOUR, null, [30])
      await read(store, id, NOON + 2 * HOUR, 105)
      assert.deepEqual(await grown(store, id), ['0: 105, 30'])
    })

    test('is not changed by a late reading or an import', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 9 * DAY)
      await read(store, id, NOON, 100, [10])
      await read(store, id, NOON - HOUR, 90, [5])
      await read(store, id, NOON + HOUR, 0, [7], { profile: null, capture: 'import' })
      assert.deepEqual(await grown(store, id), ['0: 100, 10'])
    })

    test('is shown for 90 days', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 99 * DAY)
      for (const days of [90, 89, 1]) await read(store, id, NOON - days * DAY, 200 - days)
      assert.deepEqual(await grown(store, id), ['-89: 111, null', '-1: 199, null'])
    })

    test('is thinned to one value per week after 400 days', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 500 * DAY)
      // One week has all its days, one has two, one has a single one.
      const days = [
        430, 429, 428, 427, 426, 425, 424, 423, 422, 421, 415, 414, 409, 401, 400, 399, 398,
      ]
      for (const back of days) await read(store, id, NOON - back * DAY, 1_000 - back)
      const kept = async () =>
        (await grown(store, id, NOON - 398 * DAY)).map((line) => -Number(line.split(':')[0]))
      assert.deepEqual(await kept(), days, 'nothing is old enough yet')
      await read(store, id, NOON, 1_000)
      const weekdayOf = (back: number) => new Date(NOON - back * DAY).getUTCDay() || 7
      const isLast = (back: number) =>
        !days.some((later) => later >= 400 && later < back && back - later < 8 - weekdayOf(back))
      assert.deepEqual(
        await kept(),
        days.filter((back) => back < 400 || isLast(back)),
      )
      assert.ok((await kept()).length < 10)
      assert.deepEqual(await store.verify(), [])
    })

    test('moves to the channel that this one is merged into', async () => {
      const { store } = await open()
      const own = (await addChannel(store, 'own', NOON - 9 * DAY)).id
      const twin = (await addChannel(store, 'grows', NOON - 9 * DAY)).id
      const known = (subscribers: number) => ({
        profile: sampleProfile('own', { platformId: 7, subscribers: count(subscribers) }),
      })
      await read(store, own, NOON - 2 * DAY, 0, [], known(50))
      await read(store, twin, NOON - 3 * DAY, 40)
      await read(store, twin, NOON - 2 * DAY, 45)
      await read(store, twin, NOON, 0, [], {
        profile: sampleProfile('grows', { platformId: 7, subscribers: count(60) }),
      })
      assert.deepEqual(await grown(store, own), ['-3: 40, null', '-2: 50, null', '0: 60, null'])
      assert.deepEqual(await grown(store, twin), [])
      assert.deepEqual(await store.verify(), [])
    })

    test('is erased with the channel', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'grows', NOON - 9 * DAY)
      await read(store, id, NOON, 100, [10])
      await store.removals.removeChannel('grows', 'asked for', NOON + HOUR)
      assert.deepEqual(await grown(store, id), [])
      assert.deepEqual(await store.verify(), [])
    })
  })
}
