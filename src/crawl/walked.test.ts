import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { openStage, START } from '../../test/visit-stage.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import { sampleReading } from '../store/contract/samples.ts'
import type { NoPage } from '../telegram/source.ts'
import { startBackfill } from './backfill.ts'

const PAGE = 20
type Stage = Awaited<ReturnType<typeof openStage>>

/** A channel of which a first visit reads the last two pages and one more, since the rest is older than a month. */
async function openOld(old: number): Promise<Stage> {
  const s = await openStage()
  s.platform.publish(s.channel, old, START - 40 * DAY_MS)
  s.platform.publish(s.channel, 2 * PAGE)
  return s
}

/** Archives the page below a number, as a live read or a file with part of the history does. */
async function bring(s: Stage, before: number, capture: 'live' | 'import'): Promise<void> {
  const posts = s.channel.posts.filter(({ number }) => number < before).slice(-PAGE)
  await s.store.archive.record(sampleReading(s.id, { at: s.clock.now(), capture, posts }))
}

/** Numbers that the archive claims to hold but does not. */
async function untrue(s: Stage): Promise<number[]> {
  const { archiveFrom, archiveComplete } = await s.status()
  const newest = (await s.schedule()).newestNumber ?? 0
  const from = archiveComplete ? -Infinity : (archiveFrom ?? Infinity)
  const archived = new Set(await s.archived())
  return s.channel.posts
    .filter(({ number, publishedAt }) => number <= newest && publishedAt >= from)
    .map(({ number }) => number)
    .filter((number) => !archived.has(number))
}

const backfill = (s: Stage) =>
  startBackfill(s.store, s.channel.profile.username, { until: null, clock: s.clock })

describe('the extent that a channel’s archive claims', () => {
  test('does not grow with imported posts: first visit and backfill still read every post', async () => {
    const s = await openOld(100)
    for (const before of [2, 45, 75, 140]) await bring(s, before, 'import')
    assert.equal((await s.status()).archiveFrom, null)
    await s.visit()
    assert.equal((await s.schedule()).walkedTo, 81)
    assert.equal((await s.status()).archiveFrom, s.channel.posts[80]!.publishedAt)
    await backfill(s)
    const asked = s.platform.asked.length
    await s.visit()
    const below = s.platform.asked.slice(asked).flatMap(({ before }) => before ?? [])
    assert.deepEqual(below, [81, 61, 41, 21])
    assert.equal((await s.archived()).length, 140)
    const { archiveFrom, archiveComplete } = await s.status()
    assert.deepEqual([archiveFrom, archiveComplete], [s.channel.posts[0]!.publishedAt, true])
  })

  test('lets a killed backfill continue below what it has read when it is requested again', async () => {
    const s = await openOld(300)
    await s.visit()
    await backfill(s)
    await s.visit({ isKilled: true })
    const { walkedTo } = await s.schedule()
    assert.equal(walkedTo, 281 - 10 * PAGE, 'as far as the checkpoint')
    await backfill(s)
    const asked = s.platform.asked.length
    await s.visit()
    const below = s.platform.asked.slice(asked).flatMap(({ before }) => before ?? [])
    assert.equal(Math.max(...below), walkedTo)
    assert.equal((await s.status()).archiveComplete, true)
  })

  test('does not grow with a page of old posts in place of the newest', async () => {
    const s = await openOld(100)
    await s.visit()
    const honest = s.channel.posts
    s.channel.posts = honest.slice(0, 5)
    await s.visit()
    s.channel.posts = honest
    assert.equal((await s.schedule()).walkedTo, 81)
    assert.deepEqual(await untrue(s), [])
  })

  test('grows with the daily refresh of the last week', async () => {
    const s = await openStage()
    s.platform.publish(s.channel, 520)
    await s.visit()
    assert.equal((await s.schedule()).walkedTo, 21)
    await bring(s, 9, 'live')
    s.pass(DAY_MS + HOUR_MS)
    for (let i = 0; i < 2; i++) await s.visit()
    assert.equal((await s.status()).archiveComplete, true)
    assert.deepEqual(await untrue(s), [])
  })

  test('never includes a missing post, whatever the platform, live reads and imports do', async () => {
    const empty: NoPage = { kind: 'empty', profile: null }
    const drift: NoPage = { kind: 'broken', what: 'layout_unknown' }
    const paused: NoPage = { kind: 'throttled', sign: 'status', retryAfterMs: 1000 }
    const step = fc.record({
      posts: fc.integer({ min: 0, max: 50 }),
      brought: fc.option(fc.integer({ min: 2, max: 200 })),
      capture: fc.constantFrom('live', 'import'),
      isWanted: fc.boolean(),
      isKilled: fc.boolean(),
      reserve: fc.integer({ min: 0, max: 12 }),
      answers: fc.array(fc.constantFrom<NoPage | 'as usual'>('as usual', empty, drift, paused), {
        maxLength: 8,
      }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        const s = await openOld(260)
        for (const { posts, brought, capture, isWanted, isKilled, reserve, answers } of steps) {
          s.pass(HOUR_MS)
          s.platform.publish(s.channel, posts)
          if (brought !== null) await bring(s, brought, capture as 'live' | 'import')
          if (isWanted) await backfill(s)
          s.platform.answers.push(...answers)
          await s.visit({ reserve, isKilled })
          s.platform.answers.length = 0
          assert.deepEqual(await untrue(s), [])
        }
        await s.visit()
        await backfill(s)
        for (let i = 0; i < 4; i++) await s.visit()
        assert.equal((await s.status()).archiveComplete, true)
        assert.deepEqual(await untrue(s), [])
      }),
      { numRuns: 12 },
    )
  })
})
