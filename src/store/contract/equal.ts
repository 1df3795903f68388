import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openMemoryStore } from './memory/memory-store.ts'
import type { Store } from '../store.ts'
import { NAMES, NUMBERS, step, take } from './history.ts'
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

/** Applies a random history to an adapter and to the specification: every question of the port must have the same answer. */
export function describeEqual(open: OpenStore, runs: number): void {
  describe('equal to the specification', () => {
    test('every answer is the same after any random history', () => compareRandomly(open, runs))
  })
}

async function compareRandomly(open: OpenStore, runs: number): Promise<void> {
  const histories = fc.array(step, { minLength: 5, maxLength: 40 })
  const keptDays = fc.option(fc.integer({ min: 10, max: 45 }))
  await fc.assert(
    fc.asyncProperty(histories, keptDays, async (steps, days) => {
      const { store, setNow } = await open({ days })
      let now = NOON
      const clock = { now: () => now, elapsed: () => now, sleep: async () => {} }
      const retention = { deleted: 'redact', versions: 'keep', days } as const
      const memory = openMemoryStore({ retention, clock })
      for (const name of NAMES.slice(0, 2)) {
        const added = { do: 'add', name } as const
        await Promise.all([take(store, added, NOON), take(memory, added, NOON)])
      }
      for (const [index, step] of steps.entries()) {
        const at = NOON + index * HOUR
        setNow((now = at))
        assert.deepEqual(await take(store, step, at), await take(memory, step, at), `step ${index}`)
      }
      assert.deepEqual(await answers(store), await answers(memory))
      assert.deepEqual(await store.verify(), [])
      assert.deepEqual((await drained(store)).toSorted(), (await drained(memory)).toSorted())
      await store[Symbol.asyncDispose]()
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
