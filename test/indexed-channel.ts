import { after } from 'node:test'
import assert from 'node:assert/strict'
import type { Clock } from '../src/model/clock.ts'
import type { Post } from '../src/model/post.ts'
import { plainSearch } from '../src/search/contract/sample.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { makePost } from '../src/store/contract/make-post.ts'
import { openTemporary } from './open-temporary.ts'
import { openPlainIndex, type PlainIndex } from './plain-index.ts'
import { createPlainIndexer } from './plain-indexer.ts'

/** One channel with its index, for tests of what the indexer does. */

export const NOW = Date.UTC(2026, 3, 1, 12)
export const DAY = 86_400_000

export function postOf(number: number, text: string, ageDays: number): Post {
  return makePost({ number, publishedAt: NOW - ageDays * DAY, text })
}

const indexes: PlainIndex[] = []
after(async () => {
  for (const each of indexes) await each[Symbol.asyncDispose]()
})

async function opened(clock: Clock): Promise<PlainIndex> {
  const plain = await openPlainIndex(clock)
  indexes.push(plain)
  return plain
}

export async function setUp(own?: Clock) {
  const still = createStillClock(NOW)
  const clock = own ?? still
  const store = await openTemporary(clock)
  const { index, writer } = await opened(clock)
  const added = await store.archive.addChannel('gardening', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const channelId = added.channel.id
  const indexer = createPlainIndexer({ store, writer, clock })
  const record = (posts: readonly Post[], deleted: readonly number[] = []) =>
    store.archive.record({
      channelId,
      at: clock.now(),
      capture: 'crawl',
      parserVersion: 1,
      profile: null,
      posts,
      deleted,
    })
  const find = async (text: string) => {
    const root = { kind: 'word', text, start: 0, end: text.length } as const
    return (await index.search(plainSearch(NOW, { root }))).hits.map((hit) => hit.number)
  }
  return {
    clock,
    store,
    index,
    writer,
    indexer,
    record,
    find,
    channelId,
    pass: still.pass,
  }
}
