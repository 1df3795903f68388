import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Store } from '../store.ts'
import { groupRandomly } from './groups.ts'
import { NAMES, NUMBERS, step, take, type Step } from './history.ts'
import {
  ALL_EDITS,
  CONSUMER,
  DAY,
  HOUR,
  NOON,
  browse,
  drained,
  listOf,
  wordsOf,
  type OpenStore,
} from './samples.ts'

/** The rules between the tables of a store hold after any random history. */
export function describeHistories(open: OpenStore, runs: number): void {
  test('the rules hold after any random history', () =>
    afterHistories([open], runs, async ([store]) => {
      assert.deepEqual(await store!.verify(), [])
    }))
}

/**
 * Two databases whose statements differ are each other's oracle: every question of the port has the same answer from both,
 * after any random history.
 */
export function describeEqual(open: OpenStore, other: OpenStore, runs: number): void {
  describe('two databases', () => {
    test('give the same answers after any random history', () =>
      afterHistories([open, other], runs, async (stores) => {
        const [told, expected] = await Promise.all(stores.map(answers))
        assert.deepEqual(told, expected)
        for (const store of stores) assert.deepEqual(await store.verify(), [])
        const [left, also] = await Promise.all(stores.map(drained))
        assert.deepEqual(left!.toSorted(), also!.toSorted())
      }))

    test('form the same groups after random joins and leaves', async () => {
      const opened = await Promise.all([open(), other()])
      await groupRandomly(opened.map(({ store }) => store))
      for (const { store } of opened) await store[Symbol.asyncDispose]()
    })
  })
}

/** Each step of a history must have the same result in all stores. */
async function afterHistories(
  opens: readonly OpenStore[],
  runs: number,
  check: (stores: readonly Store[]) => Promise<void>,
): Promise<void> {
  const histories = fc.array(step, { minLength: 5, maxLength: 40 })
  const keptDays = fc.option(fc.integer({ min: 10, max: 45 }))
  await fc.assert(
    fc.asyncProperty(histories, keptDays, async (steps, days) => {
      const opened = await Promise.all(opens.map((open) => open({ days })))
      const stores = opened.map(({ store }) => store)
      const all = async (step: Step, at: number, what: string) => {
        const [first, ...others] = await Promise.all(stores.map((store) => take(store, step, at)))
        for (const each of others) assert.deepEqual(first, each, what)
      }
      for (const name of NAMES.slice(0, 2)) await all({ do: 'add', name }, NOON, name)
      for (const [index, step] of steps.entries()) {
        const at = NOON + index * HOUR
        for (const { setNow } of opened) setNow(at)
        await all(step, at, `step ${index}`)
      }
      await check(stores)
      for (const store of stores) await store[Symbol.asyncDispose]()
    }),
    { numRuns: runs },
  )
}

/** The answers to everything that the port can be asked. */
async function answers(store: Store): Promise<unknown> {
  const { archive, changes, edits, frontier, removals } = store
  const ids = [1, 2, 3, 4, 5, 6]
  const numbers = Array.from({ length: NUMBERS + 2 }, (_, i) => i + 1)
  const lists: unknown[] = []
  for (const id of ids) {
    lists.push(await archive.posts(numbers.map((number) => ({ channelId: id, number }))))
    for (const number of numbers) {
      lists.push((await archive.post(id, number))?.number)
      lists.push(await archive.versions({ channelId: id, number }))
      lists.push(await edits.ofPost({ channelId: id, number }))
    }
    lists.push(
      await archive.listPosts(listOf(id, { limit: 3, includeDeleted: true, includeService: true })),
    )
    lists.push(
      await archive.listPosts(
        listOf(id, { order: 'oldest', since: NOON - 20 * DAY, until: NOON - 2 * DAY }),
      ),
    )
    lists.push(await archive.listPosts(listOf(id, { has: ['photo'], forwards: 'exclude' })))
    lists.push(
      await archive.listPosts(
        listOf(id, {
          words: { ...wordsOf(['snow', 'снег'], ['#tag', 'rain']), holds: () => true },
        }),
      ),
    )
    lists.push(await archive.numbersBetween(id, 2, 7))
    lists.push(await archive.stats(id, NOON), await frontier.schedule(id))
    lists.push((await frontier.gaps(id)).map(({ id: _id, ...gap }) => gap))
  }
  const scanned: unknown[] = []
  for await (const batch of archive.scan({ batch: 3, publishedSince: NOON - 30 * DAY }))
    scanned.push(batch)
  const found = await Promise.all(NAMES.map((name) => archive.channel(name)))
  const listed = []
  for (const sort of ['subscribers', 'posts_per_day', 'newest_post', 'username'] as const) {
    const first = await archive.channels(browse({ sort, limit: 2 }))
    // The form of `next` is up to the adapter; the page that it leads to is not.
    const { items } = await archive.channels(browse({ sort, limit: 2, after: first.next }))
    listed.push(first.items, items)
  }
  for (const order of ['newest', 'views'] as const) {
    const deleted = order === 'newest' ? 'include' : 'exclude'
    const first = await edits.list({ ...ALL_EDITS, order, deleted, limit: 4 })
    const { items } = await edits.list({
      ...ALL_EDITS,
      order,
      deleted,
      limit: 9,
      after: first.next,
    })
    listed.push(first.items, first.next === null ? [] : items, await edits.texts(items))
  }
  const candidates = await frontier.candidates({ limit: 9, minSources: 1, now: NOON })
  return {
    lists,
    scanned,
    found,
    listed,
    byWord: await archive.channels(browse({ words: ['a'], sort: 'relevance' })),
    byPart: await archive.channels(browse({ words: ['lph'], lang: ['en'], sort: 'relevance' })),
    byId: await archive.channelsById(ids),
    languages: await archive.languages(NOON),
    totals: await archive.totals(),
    pending: await changes.pending(CONSUMER, 1_000),
    overview: await frontier.overview(NOON),
    candidates,
    removals: await removals.list(),
    removedPosts: await Promise.all(
      NAMES.map((name) => removals.removed({ names: [name], platformIds: [1] }, [1, 2, 3])),
    ),
  }
}
