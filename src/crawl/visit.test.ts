import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import type { FakeChannel } from '../../test/fake-platform.ts'
import { openStage as open, START } from '../../test/visit-stage.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { samplePost, sampleReading } from '../store/contract/samples.ts'
import type { NoPage } from '../telegram/source.ts'

const numbersOf = (channel: FakeChannel) => channel.posts.map((post) => post.number)
const EMPTY: NoPage = { kind: 'empty', profile: null }
const TRUNCATED: NoPage = { kind: 'broken', what: 'truncated' }
const DRIFT: NoPage = { kind: 'broken', what: 'layout_unknown' }
const PAUSED: NoPage = { kind: 'throttled', sign: 'status', retryAfterMs: 1000 }
const WITHDRAWN: NoPage = {
  kind: 'unavailable',
  reason: 'preview_disabled',
  detail: null,
  profile: null,
}

describe('a visit', () => {
  test('goes back 500 posts if it is the first', async () => {
    const s = await open()
    s.platform.publish(s.channel, 800)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel).slice(-500))
    assert.deepEqual(await s.gaps(), [])
  })

  test('goes back 30 days if it is the first and that is fewer posts', async () => {
    const s = await open()
    s.platform.publish(s.channel, 50, START - 40 * DAY_MS)
    s.platform.publish(s.channel, 30, START)
    await s.visit()
    const archived = await s.archived()
    assert.deepEqual(archived, numbersOf(s.channel).slice(-archived.length))
    assert.ok(archived.length >= 30 && archived.length <= 50)
  })

  test('that was the first and was interrupted still gets every post, although albums use up numbers', async () => {
    const s = await open()
    s.platform.publishAlbums(s.channel, 400, 4)
    s.platform.answers.push('as usual', 'as usual', PAUSED)
    await s.visit()
    for (let i = 0; i < 5; i++) await s.visit()
    assert.deepEqual(await s.gaps(), [])
    const heads = await s.store.archive.posts(
      s.channel.posts.map(({ number }) => ({ channelId: s.id, number })),
    )
    assert.equal(heads.filter((post) => post === undefined).length, 0)
  })

  test('walks back until it meets the archive, however many posts are new', async () => {
    const s = await open()
    s.platform.publish(s.channel, 10)
    await s.visit()
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 205)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
    assert.equal((await s.schedule()).newestNumber, 215)
  })

  test('that was interrupted leaves a gap, which the next visit fills', async () => {
    const s = await open()
    s.platform.publish(s.channel, 10)
    await s.visit()
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 100)
    s.platform.answers.push('as usual', 'as usual', PAUSED)
    await s.visit()
    assert.deepEqual(await s.gaps(), ['gap 11–71'])
    s.platform.publish(s.channel, 3)
    await s.visit()
    assert.deepEqual(await s.gaps(), [])
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
  })

  test('does not take "no posts" in the middle of the history for its end', async () => {
    const s = await open()
    s.platform.publish(s.channel, 10)
    await s.visit()
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 60)
    s.platform.answers.push('as usual', EMPTY, EMPTY, EMPTY)
    await s.visit()
    assert.deepEqual(await s.gaps(), ['gap 11–51'])
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
  })

  test('takes "no posts" of a channel that has some for throttling, and changes nothing', async () => {
    const s = await open()
    s.platform.publish(s.channel, 30)
    await s.visit()
    s.platform.answers.push(EMPTY, EMPTY, EMPTY)
    const end = await s.visit()
    assert.ok(end.kind === 'failed' && end.isSoftThrottle)
    assert.equal((await s.archived()).length, 30)
  })

  test('confirms each deletion by requesting the post, including that of the newest post', async () => {
    const s = await open()
    s.platform.publish(s.channel, 15)
    await s.visit()
    s.channel.posts = s.channel.posts.filter(({ number }) => number !== 7 && number !== 15)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
    assert.equal(s.platform.asked.filter(({ number }) => number !== null).length, 2)
  })

  test('does not move the cursor back after a page of old posts only', async () => {
    const s = await open()
    s.platform.publish(s.channel, 1)
    s.channel.posts = [{ ...s.channel.posts[0]!, number: 200_000 }]
    s.platform.publish(s.channel, 40)
    await s.visit()
    const honest = s.channel.posts
    s.channel.posts = honest.slice(0, 5).map((post) => ({ ...post, number: post.number - 199_990 }))
    await s.visit()
    assert.equal((await s.schedule()).newestNumber, 200_040)
  })

  test('archives an edit as a new version', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    await s.visit()
    s.channel.posts[1] = { ...s.channel.posts[1]!, text: 'another text', edited: true }
    await s.visit()
    const post = await s.store.archive.post(s.id, 2)
    assert.equal(post?.text, 'another text')
    assert.equal(post.revision, 2)
  })

  test('marks the channel unavailable on a layout change, changes nothing, and recovers afterwards', async () => {
    const s = await open()
    s.platform.publish(s.channel, 30)
    await s.visit()
    s.platform.answers.push(DRIFT, DRIFT)
    await s.visit()
    const stopped = await s.status()
    assert.deepEqual([stopped.status, stopped.reason], ['unavailable', 'parser_mismatch'])
    assert.equal((await s.archived()).length, 30)
    await s.visit()
    assert.equal((await s.status()).status, 'active')
  })

  test('asks again within minutes for a channel that becomes unavailable, then ever more rarely', async () => {
    const s = await open()
    const waitMs = async () => {
      s.platform.answers.push(WITHDRAWN)
      await s.visit()
      return (await s.schedule()).nextVisitAt - s.clock.now()
    }
    assert.ok((await waitMs()) > 0.8 * DAY_MS)
    s.platform.publish(s.channel, 5)
    await s.visit()
    const waits: number[] = []
    for (let i = 0; i < 16; i++) waits.push(await waitMs())
    assert.equal((await s.status()).status, 'unavailable')
    assert.ok(waits[0]! <= 10 * MINUTE_MS)
    assert.ok(waits[15]! > 28 * DAY_MS && waits[15]! <= 30 * DAY_MS)
  })

  test('gives a channel up only after its name led nowhere three times', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    await s.visit()
    s.platform.rename('daily_news', 'elsewhere')
    const statuses: string[] = []
    for (let i = 0; i < 3; i++) {
      await s.visit()
      statuses.push((await s.status()).status)
    }
    assert.deepEqual(statuses, ['active', 'active', 'gone'])
    assert.ok((await s.schedule()).nextVisitAt > START + DAY_MS)
  })

  for (const [when, visits] of [
    ['at the first visit', 0],
    ['at the next visit', 1],
  ] as const)
    test(`takes the tag in the description for an opt-out ${when}`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 3)
      for (let i = 0; i < visits; i++) await s.visit()
      s.channel.profile = { ...s.channel.profile, description: 'x #Telegrep_OptOut y' }
      const end = await s.visit()
      assert.ok(end.kind === 'opted_out')
      assert.deepEqual([end.reading.profile?.platformId, end.reading.posts], [1000, []])
    })

  test('takes the tag for an opt-out of a channel that is known only from an import, too', async () => {
    const s = await open()
    const imported = { capture: 'import', profile: null, posts: [samplePost(1)] } as const
    await s.store.archive.record(sampleReading(s.id, imported))
    s.platform.publish(s.channel, 3)
    s.channel.profile = { ...s.channel.profile, description: '#telegrep_optout' }
    assert.equal((await s.visit()).kind, 'opted_out')
  })

  test('ignores the opt-out tag on a page that does not identify its channel', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    await s.visit()
    const description = '#telegrep_optout'
    s.channel.profile = { ...s.channel.profile, platformId: null, description }
    for (let i = 0; i < 3; i++) {
      assert.equal((await s.visit()).kind, 'failed')
      s.pass(HOUR_MS)
    }
    assert.equal((await s.status()).reason, 'parser_mismatch')
    assert.equal((await s.archived()).length, 3)
  })

  test('follows a new name of the channel at once, since its numeric id is the same', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    await s.visit()
    s.channel.profile = { ...s.channel.profile, username: 'Weekly_News' }
    assert.equal((await s.visit()).kind, 'read')
    const { username, aliases } = await s.status()
    assert.deepEqual([username, aliases], ['Weekly_News', ['daily_news']])
  })

  test('hands a page that shows the numeric id of a known channel over to that channel', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    const known = s.platform.add('known_news', 1000)
    s.platform.publish(known, 3)
    const added = await s.store.archive.addChannel('known_news', { at: START, status: 'queued' })
    assert.ok(added.outcome === 'added')
    const { id } = added.channel
    const posts = known.posts.map((post) => ({ ...post, text: `known ${post.number}` }))
    const { profile } = known
    await s.store.archive.record(sampleReading(id, { at: START, profile, posts }))
    assert.equal((await s.visit()).kind, 'other_channel')
    const joined = await s.store.archive.channel('daily_news')
    assert.deepEqual([joined?.id, joined?.posts], [id, 3])
    assert.equal((await s.store.archive.post(id, 3))?.text, 'known 3')
    assert.ok((await s.store.frontier.schedule(id))!.nextVisitAt <= s.clock.now())
  })

  test('reads the hole that a live read of later posts leaves', async () => {
    const s = await open()
    s.platform.publish(s.channel, 40)
    await s.visit()
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 60)
    const posts = s.channel.posts.slice(-20)
    const live = { at: s.clock.now(), capture: 'live', profile: s.channel.profile, posts } as const
    await s.store.archive.record(sampleReading(s.id, live))
    assert.equal((await s.archived()).length, 60)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
  })

  test('leaves the archive as complete as it was when the newest post is deleted', async () => {
    const s = await open()
    s.platform.publish(s.channel, 30)
    await s.visit()
    s.channel.posts.pop()
    for (let i = 0; i < 2; i++) {
      assert.equal((await s.status()).archiveComplete, true)
      s.pass(HOUR_MS)
      await s.visit()
    }
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
  })

  for (const number of [800, 790, 781, 700])
    test(`that is the first does not end at a single wrong date (number ${number} of 800)`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 800)
      const { posts } = s.channel
      posts[number - 1] = { ...posts[number - 1]!, publishedAt: Date.UTC(2014, 0, 1) }
      await s.visit()
      assert.deepEqual(await s.archived(), numbersOf(s.channel).slice(300))
    })

  test('refreshes the last week once a day, from the reserve', async () => {
    const s = await open()
    s.platform.publish(s.channel, 100, START)
    await s.visit()
    s.pass(DAY_MS + HOUR_MS)
    s.channel.posts = s.channel.posts.map((post) =>
      post.number === 15 ? { ...post, text: 'corrected' } : post,
    )
    await s.visit({ reserve: 0 })
    assert.deepEqual(await s.gaps(), ['refresh 1–81'])
    assert.equal((await s.store.archive.post(s.id, 15))?.text, 'post 15')
    await s.visit()
    assert.deepEqual(await s.gaps(), [])
    assert.equal((await s.store.archive.post(s.id, 15))?.text, 'corrected')
  })

  test('reads the backfill below a gap that cannot be read', async () => {
    const s = await open()
    s.platform.publish(s.channel, 300, START - 40 * DAY_MS)
    s.platform.publish(s.channel, 60)
    await s.visit()
    const lowest = (await s.archived())[0]!
    const gap = { channelId: s.id, downTo: 1, until: null }
    await s.store.frontier.addGap({ ...gap, kind: 'gap', before: lowest, downTo: lowest - 20 })
    await s.store.frontier.addGap({ ...gap, kind: 'backfill', before: lowest - 20 })
    // The page is requested twice.
    s.platform.answers.push('as usual', DRIFT, DRIFT)
    await s.visit()
    assert.deepEqual(await s.gaps(), [`gap ${lowest - 20}–${lowest}`])
    assert.equal((await s.archived())[0], 1)
  })

  test('continues a backfill down to the first post, over as many visits as needed', async () => {
    const s = await open()
    s.platform.publish(s.channel, 1_500)
    await s.visit()
    const gap = {
      channelId: s.id,
      kind: 'backfill',
      before: 1_001,
      downTo: 1,
      until: null,
    } as const
    await s.store.frontier.addGap(gap)
    for (let i = 0; i < 3; i++) await s.visit()
    assert.equal((await s.archived()).length, 1_500)
    assert.equal((await s.status()).archiveComplete, true)
  })

  test('misses no post between two visits, whatever the platform does', async () => {
    const trouble = fc.constantFrom('as usual', 'as usual', EMPTY, TRUNCATED, DRIFT, PAUSED)
    const step = fc.record({
      posts: fc.integer({ min: 0, max: 90 }),
      answers: fc.array(trouble as fc.Arbitrary<NoPage | 'as usual'>, { maxLength: 8 }),
      reserve: fc.integer({ min: 0, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const s = await open()
        s.platform.publish(s.channel, 5)
        await s.visit()
        for (const { posts, answers, reserve } of steps) {
          s.pass(HOUR_MS)
          s.platform.publish(s.channel, posts)
          s.platform.answers.push(...answers)
          await s.visit({ reserve })
          s.platform.answers.length = 0
        }
        for (let i = 0; i < 40; i++) await s.visit()
        assert.deepEqual(await s.gaps(), [])
        assert.deepEqual(await s.archived(), numbersOf(s.channel))
      }),
      { numRuns: 30 },
    )
  })
})
