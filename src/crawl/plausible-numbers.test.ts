import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postOf } from '../../test/fake-platform.ts'
import { openStage as open, START } from '../../test/visit-stage.ts'
import type { PageOutcome } from '../telegram/source.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import { plausibleCursor } from './plausible-numbers.ts'
import { vanishedOf } from './vanished.ts'

const through = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

type Stage = Awaited<ReturnType<typeof open>>

/** From now on every page also shows this post. */
function showEverywhere({ platform: { source } }: Stage, number: number, publishedAt: number) {
  const page = source.page.bind(source)
  const withStray = (outcome: PageOutcome): PageOutcome =>
    outcome.kind !== 'page'
      ? outcome
      : {
          ...outcome,
          page: {
            ...outcome.page,
            numbers: [number, ...outcome.page.numbers],
            posts: [postOf(number, publishedAt), ...outcome.page.posts],
          },
        }
  source.page = async (...asked) => withStray(await page(...asked))
}

describe('a post number far below the others of its page', () => {
  test('is not taken for the point where a walk meets the archive', async () => {
    const s = await open()
    s.platform.publish(s.channel, 900)
    await s.visit()
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 100)
    showEverywhere(s, 3, START - HOUR_MS)
    await s.visit()
    assert.deepEqual(await s.archived(), [3, ...through(401, 1000)])
    assert.deepEqual(await s.gaps(), [])
  })

  test('does not make the archived posts above it suspected of deletion', async () => {
    const s = await open()
    s.platform.publish(s.channel, 900)
    await s.visit()
    s.pass(HOUR_MS)
    showEverywhere(s, 3, START - HOUR_MS)
    await s.visit()
    assert.equal(vanishedOf(await s.schedule()), null)
  })

  for (const recent of [[5001], [5001, 5002, 5003]])
    test(`is read where the posts in between were deleted, at the cost of one more page (${recent.length} above)`, async () => {
      const s = await open()
      const old = through(1, 10).map((number) => postOf(number, START - DAY_MS))
      s.channel.posts = [...old, ...recent.map((number) => postOf(number, START))]
      const asked: number[] = []
      for (let i = 0; i < 2; i++) {
        s.platform.asked.length = 0
        await s.visit()
        asked.push(s.platform.asked.length)
        s.pass(HOUR_MS)
      }
      assert.deepEqual(await s.archived(), [...through(1, 10), ...recent])
      assert.deepEqual([asked, await s.gaps()], [[2, 1], []])
    })
})

describe('a post number above the others of its page', () => {
  for (const number of [150, 300, 5_000, 90_000]) {
    test(`is read, and posts after it are still found once it is gone (number ${number} after 40)`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 40)
      await s.visit()
      const honest = s.channel.posts
      s.channel.posts = [...honest, postOf(number, START)]
      s.pass(HOUR_MS)
      await s.visit()
      assert.deepEqual(await s.archived(), [...through(1, 40), number])
      s.channel.posts = honest
      for (let i = 0; i < 2; i++) {
        s.pass(HOUR_MS)
        s.platform.publish(s.channel, 60)
        await s.visit()
      }
      assert.deepEqual(await s.archived(), through(1, 160))
      assert.equal((await s.schedule()).newestNumber, 160)
    })
  }

  test('costs no further page when the newest posts were really deleted', async () => {
    const s = await open()
    s.platform.publish(s.channel, 400)
    s.channel.posts.push(postOf(900, START))
    await s.visit()
    s.channel.posts.pop()
    const { seen } = await s.schedule()
    const asked: number[] = []
    for (let i = 0; i < 3; i++) {
      s.platform.asked.length = 0
      s.pass(HOUR_MS)
      await s.visit()
      asked.push(s.platform.asked.filter((each) => each.number === null).length)
    }
    assert.deepEqual(asked, [1, 1, 1])
    assert.deepEqual(await s.archived(), through(1, 400))
    assert.ok((await s.schedule()).seen <= seen)
  })

  for (const number of [150, 250, 500, 5_000]) {
    test(`hides no posts below those archived before it is gone (number ${number} after 40)`, async () => {
      for (const capture of ['crawl', 'live'] as const) {
        const s = await open()
        s.platform.publish(s.channel, 40)
        await s.visit()
        const stray = postOf(number, START)
        const honest = s.channel.posts
        s.channel.posts = [...honest, stray]
        s.pass(HOUR_MS)
        await s.visit()
        s.channel.posts = honest
        s.pass(HOUR_MS)
        s.platform.publish(s.channel, 60)
        if (capture === 'crawl') {
          s.channel.posts = [...honest, stray]
          await s.visit()
          s.channel.posts = honest
        } else {
          const read = { channelId: s.id, at: s.clock.now(), parserVersion: 1, profile: null }
          const posts = honest.slice(-20)
          await s.store.archive.record({ ...read, deleted: [], capture, posts })
        }
        s.pass(HOUR_MS)
        await s.visit()
        assert.deepEqual(await s.archived(), through(1, 100))
      }
    })
  }

  for (const [number, later] of [
    [50, 30],
    [50, 25],
    [150, 200],
    [700, 800],
  ] as const) {
    test(`hides no posts if later ones have reached it at the next visit (number ${number} after 40, then ${later} more)`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 40)
      await s.visit()
      const honest = s.channel.posts
      s.channel.posts = [...honest, postOf(number, START)]
      s.pass(HOUR_MS)
      await s.visit()
      s.channel.posts = honest
      s.pass(HOUR_MS)
      s.platform.publish(s.channel, later)
      await s.visit()
      assert.deepEqual(await s.archived(), through(1, 40 + later))
    })
  }

  test('is judged by a bounded number of archived posts', async () => {
    const s = await open()
    s.platform.publish(s.channel, 40)
    const outcome = await s.platform.source.page('daily_news', null, { purpose: 'visit' })
    assert.ok(outcome.kind === 'page')
    const archived = async (from: number, to: number, newest: number) =>
      through(Math.max(from, to - newest + 1), to)
    assert.equal(await plausibleCursor(outcome.page, 1_000_000, archived), 1_000_000)
  })
})

test('the newest post, once deleted, leaves the archive as complete as it was', async () => {
  const s = await open()
  s.platform.publish(s.channel, 30)
  await s.visit()
  assert.equal((await s.status()).archiveComplete, true)
  s.channel.posts.pop()
  for (let i = 0; i < 2; i++) {
    s.pass(HOUR_MS)
    await s.visit()
    assert.equal((await s.status()).archiveComplete, true)
  }
  assert.deepEqual(await s.archived(), through(1, 29))
})

describe('a post with a wrong date', () => {
  for (const number of [800, 790, 781, 700]) {
    test(`does not end a first visit (number ${number} of 800)`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 800)
      const { posts } = s.channel
      posts[number - 1] = { ...posts[number - 1]!, publishedAt: Date.UTC(2014, 0, 1) }
      await s.visit()
      assert.deepEqual(await s.archived(), through(301, 800))
    })
  }

  test('does not prevent the daily refresh of the last days', async () => {
    const s = await open()
    s.platform.publish(s.channel, 60)
    await s.visit()
    s.pass(DAY_MS)
    s.channel.posts[54] = { ...s.channel.posts[54]!, publishedAt: Date.UTC(2014, 0, 1) }
    s.channel.posts[9] = { ...s.channel.posts[9]!, text: 'edited' }
    await s.visit()
    assert.equal((await s.store.archive.post(s.id, 10))?.text, 'edited')
  })
})
