import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import {
  NOON,
  addChannel,
  hashtagged,
  listOf,
  samplePost,
  sampleReading,
  walk,
} from '../contract/samples.ts'
import { ALL_CHANNELS } from '../archive.ts'
import type { Store } from '../store.ts'
import { STORE_FILE, openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-recount-'))
after(() => rmSync(root, { recursive: true, force: true }))

const BUTTON = [[{ text: 'Open', url: 'https://example.com/' }]]

/** A store whose posts were counted by an earlier definition: a tag as it was spelt, and no button was a link. */
async function openEarlier(): Promise<{ store: Store; ids: number[] }> {
  const folder = mkdtempSync(join(root, 'store-'))
  const retention = { deleted: 'redact', versions: 'keep' } as const
  const store = await openSqliteStore({ folder, retention })
  const ids: number[] = []
  for (const name of ['first', 'second', 'empty']) {
    const { id } = await addChannel(store, name)
    ids.push(id)
    const posts = [1, 2, 3, 4].map((n) => hashtagged(n, 'Ёлка'))
    posts.push(samplePost(5, { buttons: BUTTON }))
    if (name !== 'empty') await store.archive.record(sampleReading(id, { posts }))
  }
  using db = new DatabaseSync(join(folder, STORE_FILE))
  db.exec(`update channel_features set value = 'ёлка' where value = 'елка';
    delete from channel_features where kind = 2; update posts set flags = flags & ~1023;
    delete from channel_starts; delete from totals where name glob 'derived/*'`)
  return { store, ids }
}

async function recountAll(store: Store, limit: number): Promise<void> {
  for (let step = 0; (await store.archive.recount(limit)) > 0; step++) assert.ok(step < 100)
}

async function shown(store: Store, id: number) {
  const { topHashtags, topDomains } = await store.archive.stats(id, NOON)
  const linked = await walk(store, listOf(id, { has: ['link'] }))
  return { topHashtags, topDomains, linked }
}

for (const limit of [2, 1000]) {
  test(`what an earlier version counted is counted anew, ${limit} posts a step`, async () => {
    const { store, ids } = await openEarlier()
    await using _ = store
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

test('posts that come, change and go while their channel is counted are counted once', async () => {
  const { store, ids } = await openEarlier()
  await using _ = store
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

test('channels are found by their words before and after these are written anew', async () => {
  const { store, ids } = await openEarlier()
  await using _ = store
  const find = async (word: string) => {
    const query = { ...ALL_CHANNELS, words: [word], sort: 'relevance', limit: 10 } as const
    return (await store.archive.channels(query)).items.map((channel) => channel.id)
  }
  assert.deepEqual(await find('econ'), [ids[1]])
  await recountAll(store, 1000)
  assert.deepEqual(await find('econ'), [ids[1]])
  assert.deepEqual(await find('cond'), [ids[1]])
  assert.deepEqual(await find('absent'), [])
})

test('once everything is counted, nothing is looked at', async () => {
  const { store } = await openEarlier()
  await using _ = store
  await recountAll(store, 100)
  await addChannel(store, 'later')
  assert.equal(await store.archive.recount(100), 0)
})
