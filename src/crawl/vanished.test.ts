import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCrawler } from '../../test/open-crawler.ts'
import { START, openStage as open } from '../../test/visit-stage.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { createManualClock, type ManualClock } from '../simulator/clocks.ts'
import { weighVanished } from './second-look.ts'

describe('many posts that vanish at once', () => {
  test('are kept with their texts for hours, and nothing changes if they come back', async () => {
    for (const left of [0, 5, 20]) {
      const s = await open()
      s.platform.publish(s.channel, 40)
      await s.visit()
      const all = s.channel.posts
      s.channel.posts = all.slice(0, left)
      for (let hours = 0; hours < 6; hours++) {
        await s.visit()
        assert.equal((await s.archived()).length, 40)
        s.pass(HOUR_MS - MINUTE_MS)
      }
      assert.equal((await s.store.archive.post(s.id, 40))?.text, 'post 40')
      s.channel.posts = all
      s.pass(DAY_MS)
      await s.visit()
      assert.equal((await s.archived()).length, 40)
      assert.equal((await s.schedule()).doubt, null)
    }
  })

  test('are accepted as deleted six hours later, ten per visit, and a visit is planned for then', async () => {
    const s = await open()
    s.platform.publish(s.channel, 20)
    await s.visit()
    s.channel.posts = s.channel.posts.slice(0, 5)
    const { result } = (await s.visit()) as { result: { schedule: { nextVisitAt: number } } }
    const { doubtedAt } = await s.schedule()
    assert.ok(result.schedule.nextVisitAt <= doubtedAt! + 6 * HOUR_MS)
    s.pass(6 * HOUR_MS)
    const counts: number[] = []
    for (let i = 0; i < 3; i++) {
      await s.visit()
      counts.push((await s.archived()).length)
    }
    assert.deepEqual(counts, [10, 5, 5])
    assert.equal((await s.schedule()).doubt, null)
  })

  test('are treated the same way if the channel shows no posts at all any more', async () => {
    const s = await open()
    s.platform.publish(s.channel, 5)
    await s.visit()
    s.channel.posts = []
    await s.visit()
    assert.equal((await s.archived()).length, 5)
    s.pass(6 * HOUR_MS)
    await s.visit()
    assert.deepEqual(await s.archived(), [])
  })

  test('are kept, however few, while the platform shows no posts of any channel', async () => {
    for (const count of [3, 5]) {
      const s = await open()
      s.platform.publish(s.channel, count)
      await s.visit()
      s.channel.posts = []
      for (let days = 0; days < 3; days++) {
        await s.visit({ isAlone: true })
        s.pass(DAY_MS)
      }
      assert.equal((await s.archived()).length, count)
      await s.visit()
      assert.equal((await s.archived()).length, count)
      s.pass(6 * HOUR_MS)
      await s.visit()
      assert.deepEqual(await s.archived(), [])
    }
  })

  test('are accepted as deleted only a week later if no other channel is followed', async () => {
    const s = await openCrawler(createManualClock(START))
    const [only] = await s.add('only_news')
    s.platform.publish(only!, 5)
    const left: number[] = []
    for (let day = 0; day <= 9; day++) {
      const crawler = s.start()
      await s.pass(MINUTE_MS)
      await crawler.stop()
      left.push((await s.store.archive.channel('only_news'))!.posts)
      only!.posts = []
      await (s.clock as ManualClock).advance(DAY_MS)
    }
    assert.deepEqual(left, [5, 5, 5, 5, 5, 5, 5, 5, 0, 0])
  })

  test('from a long cleared history are looked up in batches of at most 1,000', async (t) => {
    const s = await open()
    s.platform.publish(s.channel, 1_500)
    const { posts } = s.channel
    await s.visit()
    const reading = { channelId: s.id, at: START, capture: 'import', parserVersion: 1 } as const
    await s.store.archive.record({ ...reading, profile: null, posts, deleted: [] })
    s.channel.posts = posts.slice(0, 1)
    const asked = t.mock.method(s.store.archive, 'posts')
    await s.visit()
    s.pass(6 * HOUR_MS)
    for (let i = 0; i < 2; i++) await s.visit()
    const most = Math.max(...asked.mock.calls.map((call) => call.arguments[0].length))
    assert.ok(most > 200 && most <= 1_000, `${most} posts at once`)
    assert.deepEqual((await s.archived()).at(-1), 1_480)
  })

  test('below the newest page are followed up before the next daily refresh', async () => {
    const s = await open()
    s.platform.publish(s.channel, 100)
    await s.visit()
    s.channel.posts = s.channel.posts.filter(({ number }) => number < 30 || number >= 42)
    s.pass(DAY_MS + HOUR_MS)
    await s.visit()
    assert.equal((await s.archived()).length, 100)
    s.pass(3 * HOUR_MS)
    await s.visit()
    s.pass(3 * HOUR_MS)
    for (let i = 0; i < 2; i++) await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s))
  })

  for (const days of [1, 20])
    test(`are noticed at the start of the history within a day, too (${days} days old)`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 48, START - days * DAY_MS)
      await s.visit()
      s.channel.posts = s.channel.posts.slice(-3)
      s.pass(DAY_MS + HOUR_MS)
      await s.visit()
      assert.equal((await s.archived()).length, 48)
      s.pass(6 * HOUR_MS)
      for (let i = 0; i < 5; i++) await s.visit()
      assert.deepEqual(await s.archived(), numbersOf(s))
      const asked = s.platform.asked.length
      s.pass(DAY_MS)
      await s.visit()
      assert.equal(s.platform.asked.length, asked + 1)
    })

  test('are not suspected at the start of the history while the newest of them is still there by itself', async () => {
    for (const days of [1, 20]) {
      const s = await open()
      s.platform.publish(s.channel, 60, START - days * DAY_MS)
      await s.visit()
      const page = s.platform.source.page.bind(s.platform.source)
      // The platform has begun to show only the newest posts of a channel in its preview.
      s.platform.source.page = async (name, before, options) => {
        if (before !== null && before <= 41) return { kind: 'empty', profile: null }
        const outcome = await page(name, before, options)
        if (outcome.kind !== 'page') return outcome
        const { posts, numbers } = outcome.page
        const shown = {
          posts: posts.filter(({ number }) => number > 40),
          numbers: numbers.filter((number) => number > 40),
        }
        return { ...outcome, page: { ...outcome.page, ...shown, before: null } }
      }
      s.pass(DAY_MS + HOUR_MS)
      await s.visit()
      assert.equal((await s.schedule()).doubt, null)
      const alone = s.platform.asked.filter(({ number }) => number !== null)
      assert.deepEqual(
        alone.map(({ number }) => number),
        [40],
      )
    }
  })

  for (const withheld of [
    { kind: 'unavailable', reason: 'restricted', detail: 'copyright', profile: null },
    { kind: 'unreachable', what: 'status', detail: 'status 500' },
  ] as const)
    test(`are noticed at the start of the history also if the newest of them is not readable (${withheld.kind})`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 48, START - DAY_MS)
      await s.visit()
      s.channel.posts = s.channel.posts.slice(-3)
      s.platform.shownAlone.set(45, withheld)
      s.pass(DAY_MS + HOUR_MS)
      await s.visit()
      s.pass(6 * HOUR_MS)
      for (let i = 0; i < 6; i++) await s.visit()
      assert.deepEqual(await s.archived(), [45, ...numbersOf(s)])
    })

  test('cost one request a day to look for where pages no longer link to older ones', async () => {
    const s = await open()
    s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
    await s.visit()
    s.channel.lostLinks.add(41)
    const asked = s.platform.asked.length
    s.pass(DAY_MS + HOUR_MS)
    await s.visit({ reserve: 0 })
    assert.equal(s.platform.asked.length, asked + 2)
    assert.deepEqual(await s.gaps(), [])
  })

  test('are accepted only after each has been missing for hours, also if others vanished earlier', async () => {
    const s = await open()
    s.platform.publish(s.channel, 40)
    await s.visit()
    s.channel.posts = s.channel.posts.filter(({ number }) => number < 31)
    await s.visit()
    s.pass(6 * HOUR_MS)
    s.channel.posts = s.channel.posts.filter(({ number }) => number < 16)
    await s.visit()
    await s.visit()
    assert.equal((await s.archived()).length, 30)
    s.pass(6 * HOUR_MS)
    for (let i = 0; i < 2; i++) await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s))
  })

  test('do not delay the acceptance of a few others that vanish', async () => {
    const s = await open()
    s.platform.publish(s.channel, 15)
    await s.visit()
    s.channel.posts = s.channel.posts.filter(({ number }) => number % 5 !== 0)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s))
    s.channel.posts = s.channel.posts.slice(0, 4)
    await s.visit()
    assert.equal((await s.archived()).length, 12)
    s.channel.posts = s.channel.posts.filter(({ number }) => number !== 2)
    await s.visit()
    assert.equal((await s.archived()).length, 11)
  })
})

test('a missing post that is withheld or never readable does not keep the deletion of others from being believed', async () => {
  for (const [withheld, mayPass] of [
    [{ kind: 'unavailable', reason: 'restricted', detail: 'copyright', profile: null }, false],
    [{ kind: 'broken', what: 'layout_unknown' }, false],
    [{ kind: 'broken', what: 'truncated' }, true],
    [{ kind: 'unreachable', what: 'status', detail: 'status 500' }, true],
  ] as const) {
    const s = await open()
    s.platform.publish(s.channel, 20)
    await s.visit()
    s.channel.posts = s.channel.posts.filter(({ number }) => number !== 15 && number !== 10)
    s.platform.shownAlone.set(15, withheld)
    for (let i = 0; i < 4; i++) await s.visit()
    assert.deepEqual(
      await s.archived(),
      [...numbersOf(s), 15].toSorted((a, b) => a - b),
    )
    const requests = s.platform.asked.filter(({ number }) => number === 15)
    assert.equal(requests.length, mayPass ? 2 : 1)
    s.pass(DAY_MS + HOUR_MS)
    s.platform.shownAlone.delete(15)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s))
  }
})

test('one failure leaves no missing post alone for a day', async () => {
  const s = await open()
  s.platform.publish(s.channel, 20)
  await s.visit()
  s.channel.posts = s.channel.posts.filter(({ number }) => number !== 15)
  s.platform.shownAlone.set(15, { kind: 'unreachable', what: 'status', detail: 'status 500' })
  await s.visit()
  s.platform.shownAlone.delete(15)
  await s.visit()
  assert.deepEqual(await s.archived(), numbersOf(s))
})

function numbersOf({ channel }: Awaited<ReturnType<typeof open>>): number[] {
  return channel.posts.map((post) => post.number)
}

test('nothing missing leaves nothing to wait for, even if the channel shows no posts', () => {
  const weighed = weighVanished(null, [], { isAnyShown: false, at: 0, waitMs: 0 })
  assert.deepEqual(weighed, { believed: [], waiting: null })
})
