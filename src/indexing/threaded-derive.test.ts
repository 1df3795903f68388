import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { openTemporary } from '../../test/open-temporary.ts'
import { readLanguageModel } from '../language-model.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { makePost } from '../store/contract/make-post.ts'
import { createLanguageDetector } from '../text/language.ts'
import { createThreadedDerive } from './threaded-derive.ts'
import { channelsOf, createDerive } from './derive.ts'

const NOW = Date.UTC(2026, 3, 1, 12)
const POSTS = 502

async function setUp() {
  const clock = createStillClock(NOW)
  const { archive } = await openTemporary(clock)
  const added = await archive.addChannel('gardening', { at: NOW, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const channelId = added.channel.id
  const posts = Array.from({ length: POSTS }, (_, i) =>
    makePost({
      number: i + 1,
      publishedAt: NOW - i * 3_600_000,
      text:
        i % 3 === 0 ? `Розы цветут в саду №${i}` : `The roses of garden ${i} are in bloom #roses`,
    }),
  )
  await archive.record({
    channelId,
    at: NOW,
    capture: 'crawl',
    parserVersion: 1,
    profile: null,
    posts,
    deleted: [POSTS],
  })
  const found = await archive.posts(posts.map(({ number }) => ({ channelId, number })))
  return { found, channels: await channelsOf(archive, [channelId]), since: NOW - POSTS * 1_800_000 }
}

test('a large batch gives the same result in a worker thread as in this one', async () => {
  const { found, channels, since } = await setUp()
  const languageModel = await readLanguageModel()
  const here = createDerive(createLanguageDetector(languageModel))
  using beside = createThreadedDerive({ languageModel })
  const expected = await here(found, channels, since)
  assert.ok(expected.derived.length >= 500)
  assert.deepEqual(await beside.derive([...found, undefined], channels, since), expected)
  assert.deepEqual(await beside.derive(found, channels, since), expected, 'and again')
})

test('a worker that is idle ends, and another derives the next batch', async (t) => {
  const { found, channels, since } = await setUp()
  const ended: Promise<unknown>[] = []
  const watch = (worker: Worker) => void ended.push(once(worker, 'exit'))
  process.on('worker', watch)
  t.after(() => process.off('worker', watch))
  using beside = createThreadedDerive({
    languageModel: await readLanguageModel(),
    idleMs: 0,
  })
  for (let batch = 1; batch <= 2; batch++) {
    const made = await beside.derive(found, channels, since)
    assert.equal(made.derived.length, POSTS - 1)
    assert.equal(ended.length, batch)
    await Promise.all(ended)
  }
})

test('a batch is derived in this thread if its worker is ended meanwhile', async () => {
  const { found, channels, since } = await setUp()
  const beside = createThreadedDerive({ languageModel: await readLanguageModel() })
  const asked = beside.derive(found, channels, since)
  await new Promise((resolve) => setImmediate(resolve))
  beside[Symbol.dispose]()
  assert.equal((await asked).derived.length, POSTS - 1)
})
