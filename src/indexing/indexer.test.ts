import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY, NOW, postOf, setUp } from '../../test/indexed-channel.ts'
import { createPlainIndexer, deriveByLetters } from '../../test/plain-indexer.ts'
import { indexConsumer } from '../store/changes.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'

test('a recorded post is found, an edit replaces it, a deletion removes it', async () => {
  const { indexer, record, find, pass } = await setUp()
  await record([postOf(1, 'The roses are in bloom', 1), postOf(2, 'Tulips all over', 2)])
  await indexer.drain()
  assert.deepEqual(await find('rose'), [1])
  pass(1000)
  await record([postOf(1, 'The lilies are in bloom', 1)])
  await indexer.drain()
  assert.deepEqual(await find('rose'), [])
  assert.deepEqual(await find('lily'), [1])
  pass(1000)
  await record([], [1])
  await indexer.drain()
  assert.deepEqual(await find('lily'), [])
  assert.deepEqual(await find('tulip'), [2])
})

test('a post is no longer found once it is thirty days old', async () => {
  const { indexer, record, find, pass } = await setUp()
  await record([postOf(1, 'An old oak', 29.5)])
  await indexer.drain()
  pass(DAY / 2)
  assert.deepEqual(await find('oak'), [1])
  pass(1)
  assert.deepEqual(await find('oak'), [])
})

test('a post outside the window has its language detected but is not indexed', async () => {
  const { indexer, record, find, store, channelId } = await setUp()
  await record([postOf(1, 'A very old oak', 90)])
  await indexer.drain()
  assert.deepEqual(await find('oak'), [])
  assert.equal((await store.archive.post(channelId, 1))?.language, 'en')
})

test('a rebuild builds a complete new generation with the changes made meanwhile', async () => {
  const { indexer, record, find, index, pass } = await setUp()
  await record([postOf(1, 'Roses one', 1), postOf(2, 'Roses two', 2)])
  await indexer.drain()
  pass(1000)
  await record([postOf(3, 'Roses three', 0)], [2])
  await indexer.rebuild(new AbortController().signal)
  assert.deepEqual(await find('roses'), [3, 1])
  const { complete, rebuilding, generation } = await index.state()
  assert.deepEqual(
    { complete, rebuilding, generation },
    { complete: true, rebuilding: false, generation: 2 },
  )
})

test('an index that cannot be rebuilt for now still follows the archive', async () => {
  const { clock, store, index, writer, record, find, pass } = await setUp()
  const failures: string[] = []
  let isRoomy = false
  let stop = new AbortController()
  const indexer = createPlainIndexer(
    {
      store,
      writer: {
        ...writer,
        startGeneration: (removals) =>
          isRoomy ? writer.startGeneration(removals) : Promise.reject(new Error('no room')),
      },
      clock: {
        ...clock,
        async sleep(ms) {
          pass(ms)
          if (clock.now() - NOW > 30_000) stop.abort()
        },
      },
    },
    { failed: (error) => void failures.push(String(error)) },
  )
  await record([postOf(1, 'Roses one', 1)])
  await indexer.run(stop.signal)
  assert.deepEqual([await find('roses'), (await index.state()).complete], [[1], false])
  assert.deepEqual(failures, ['Error: no room'])
  isRoomy = true
  pass(60_000)
  stop = new AbortController()
  await indexer.run(stop.signal)
  assert.deepEqual([await find('roses'), (await index.state()).complete], [[1], true])
})

test('posts of a removed channel are no longer found', async () => {
  const { indexer, record, find, store } = await setUp()
  await record([postOf(1, 'Roses', 1)])
  await indexer.drain()
  await store.removals.removeChannel('gardening', 'asked to', NOW)
  await indexer.drain()
  assert.deepEqual(await find('roses'), [])
})

test('a long drain registers its consumer again from time to time', async () => {
  const { store, writer, clock, batch } = await setUpBatches()
  let elapsed = 0
  let registered = 0
  const told: number[] = []
  const register = (consumer: string) => {
    registered++
    return store.changes.register(consumer)
  }
  const indexer = createPlainIndexer({
    store: { ...store, changes: { ...store.changes, register } },
    clock: { ...clock, elapsed: () => elapsed },
    batch,
    writer: {
      ...writer,
      async apply(changes) {
        told.push(registered)
        elapsed += 60_000
        await writer.apply(changes)
      },
    },
  })
  await indexer.drain()
  assert.deepEqual(told.slice(0, 3), [1, 2, 3])
})

/** Eighteen posts wait, and a batch takes seven. */
async function setUpBatches() {
  const made = await setUp()
  const posts = Array.from({ length: 18 }, (_, i) => postOf(i + 1, `Roses ${i}`, i / 10))
  await made.record(posts)
  return { ...made, batch: 7, all: posts.map(({ number }) => number) }
}

test('a batch is derived while the previous one is being written', async () => {
  const { store, writer, clock, find, batch, all } = await setUpBatches()
  const steps: string[] = []
  const second = Promise.withResolvers<void>()
  const indexer = createPlainIndexer({
    store,
    clock,
    batch,
    async derive(posts, ...known) {
      steps.push(`derive ${posts.length}`)
      if (steps.length === 2) second.resolve()
      return deriveByLetters(posts, ...known)
    },
    writer: {
      ...writer,
      async apply(changes) {
        // If the second batch were derived only after this one, this would wait for ever.
        await second.promise
        steps.push(`put ${changes.puts?.length}`)
        await writer.apply(changes)
      },
    },
  })
  await indexer.drain()
  assert.deepEqual(
    steps.slice(0, 3).map((step) => step.split(' ')[0]),
    ['derive', 'derive', 'put'],
  )
  assert.deepEqual(
    (await find('roses')).toSorted((a, b) => a - b),
    all,
  )
})

test('a failed batch leaves its changes, and those already derived after it, to the next drain', async () => {
  const { store, writer, clock, find, batch, all } = await setUpBatches()
  let fails = 2
  const indexer = createPlainIndexer({
    store,
    clock,
    batch,
    writer: {
      ...writer,
      apply: (changes) =>
        fails-- > 0 ? Promise.reject(new Error('no room')) : writer.apply(changes),
    },
  })
  for (let i = 0; i < 2; i++) await assert.rejects(indexer.drain(), /no room/)
  const { count } = await store.changes.pending(indexConsumer(ANALYZER_VERSION), 100)
  assert.ok(count >= all.length, 'all of them wait')
  assert.deepEqual(await find('roses'), [])
  await indexer.drain()
  assert.deepEqual(
    (await find('roses')).toSorted((a, b) => a - b),
    all,
  )
})

test('a batch that fails while the previous one is being written is reported once that one is written', async () => {
  const { store, writer, clock, find, batch } = await setUpBatches()
  const failed = Promise.withResolvers<void>()
  let asked = 0
  const indexer = createPlainIndexer({
    store,
    clock,
    batch,
    async derive(...given) {
      if (++asked < 2) return deriveByLetters(...given)
      failed.resolve()
      throw new Error('no memory')
    },
    writer: {
      ...writer,
      async apply(changes) {
        await failed.promise
        // An unhandled rejection would have ended the process by now.
        await setTimeout(20)
        await writer.apply(changes)
      },
    },
  })
  await assert.rejects(indexer.drain(), /no memory/)
  assert.ok((await find('roses')).length > 0, 'the one before it is in')
})

test('the original failure is reported even if the changes cannot be released', async () => {
  const { store, writer, clock, batch } = await setUpBatches()
  const changes = { ...store.changes, release: () => Promise.reject(new Error('no store')) }
  const cut = { ...store, changes }
  const derive = () => Promise.reject(new Error('no memory'))
  const unprepared = createPlainIndexer({ store: cut, clock, batch, writer, derive })
  await assert.rejects(unprepared.drain(), /no memory/)
  const apply = () => Promise.reject(new Error('no room'))
  const unfinished = { store: cut, clock, batch, writer: { ...writer, apply } }
  await assert.rejects(createPlainIndexer(unfinished).drain(), /no room/)
})

test('posts that could not be derived are retried by the next drain', async () => {
  const { store, writer, clock, find, batch, all } = await setUpBatches()
  let asked = 0
  const indexer = createPlainIndexer({
    store,
    clock,
    batch,
    writer,
    derive: async (...given) => {
      if (++asked === 2) throw new Error('no memory')
      return deriveByLetters(...given)
    },
  })
  await assert.rejects(indexer.drain(), /no memory/)
  const before = (await find('roses')).length
  assert.ok(before > 0 && before <= batch, 'what was before it is in')
  await indexer.drain()
  assert.deepEqual(
    (await find('roses')).toSorted((a, b) => a - b),
    all,
  )
})

test('an indexer whose claim has expired does not change the groups made by another', async () => {
  const { store, clock, pass, record, writer, indexer } = await setUp()
  const joined: number[] = []
  const groups = {
    ...store.groups,
    join: (posts: Parameters<typeof store.groups.join>[0]) => {
      joined.push(posts.length)
      return store.groups.join(posts)
    },
  }
  const late = createPlainIndexer({
    store: { ...store, groups },
    writer,
    clock,
    async derive(...given) {
      const made = await deriveByLetters(...given)
      pass(40_000)
      await record([postOf(1, 'The lilies are in bloom', 1)])
      await indexer.drain()
      return made
    },
  })
  await record([postOf(1, 'The roses are in bloom', 1)])
  await assert.rejects(late.drain(), /held for too long/)
  assert.deepEqual(joined, [])
})
