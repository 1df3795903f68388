import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStage as open, START } from '../../test/visit-stage.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import type { NoPage } from '../telegram/source.ts'

type Stage = Awaited<ReturnType<typeof open>>

const UNREADABLE: readonly NoPage[] = [
  { kind: 'broken', what: 'layout_unknown' },
  { kind: 'broken', what: 'truncated' },
  { kind: 'empty', profile: null },
  { kind: 'unreachable', what: 'too_large', detail: 'more than 8 MB' },
]

/** From now on the page below this number is never readable. */
function breakPage({ platform: { source } }: Stage, broken: number, outcome: NoPage): void {
  const page = source.page.bind(source)
  source.page = async (name, before, options) =>
    before === broken ? outcome : page(name, before, options)
}

async function addHole({ store, id }: Stage, downTo: number, before: number): Promise<void> {
  const hole = { channelId: id, kind: 'gap', downTo, before, until: null } as const
  await store.frontier.addGap(hole)
}

describe('a page that is never readable', () => {
  for (const outcome of UNREADABLE) {
    const name = 'what' in outcome ? outcome.what : outcome.kind

    test(`is asked for ever more rarely, down to the channel’s own pace (${name})`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
      await s.visit()
      await addHole(s, 11, 41)
      breakPage(s, 41, outcome)
      const minutes: number[] = []
      for (let i = 0; i < 8; i++) {
        await s.visit()
        const waitMs = (await s.schedule()).nextVisitAt - s.clock.now()
        minutes.push(Math.round(waitMs / MINUTE_MS))
        s.pass(waitMs)
      }
      assert.deepEqual(await s.gaps(), ['gap 11–41'])
      assert.deepEqual(minutes.slice(0, 4), [10, 20, 40, 80])
      assert.ok(
        minutes.slice(4).every((n) => n > 80 && n < 90),
        `${minutes}`,
      )
    })

    test(`does not keep later refreshes waiting, nor those of other pages (${name})`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 100, START)
      await s.visit()
      await addHole(s, 1, 21)
      for (const broken of [21, 41]) breakPage(s, broken, outcome)
      s.pass(DAY_MS + HOUR_MS)
      for (let i = 0; i < 2; i++) await s.visit()
      assert.deepEqual(await s.gaps(), ['refresh 1–41', 'gap 1–21'])
      s.channel.posts[69] = { ...s.channel.posts[69]!, text: 'corrected' }
      s.pass(DAY_MS)
      for (let i = 0; i < 2; i++) await s.visit()
      assert.equal((await s.store.archive.post(s.id, 70))?.text, 'corrected')
    })
  }

  test('is no reason to begin a refresh again that a passing failure has cut', async () => {
    const s = await open()
    s.platform.publish(s.channel, 100, START)
    await s.visit()
    s.pass(DAY_MS + HOUR_MS)
    const paused = { kind: 'throttled', sign: 'status', retryAfterMs: 1000 } as const
    s.platform.answers.push('as usual', 'as usual', 'as usual', paused)
    await s.visit()
    assert.deepEqual(await s.gaps(), ['refresh 1–41'])
  })

  test('is not taken for one because of a passing failure, however long after the last visit', async () => {
    const s = await open()
    s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
    await s.visit()
    await addHole(s, 11, 41)
    s.pass(2 * HOUR_MS)
    s.platform.answers.push('as usual', { kind: 'throttled', sign: 'status', retryAfterMs: 1000 })
    await s.visit()
    assert.equal((await s.schedule()).nextVisitAt - s.clock.now(), 10 * MINUTE_MS)
  })

  test('is asked for again soon at first, however long after the last visit', async () => {
    const s = await open()
    s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
    await s.visit()
    await addHole(s, 11, 41)
    breakPage(s, 41, { kind: 'unreachable', what: 'status', detail: 'status 502' })
    s.pass(2 * HOUR_MS)
    const minutes: number[] = []
    for (let i = 0; i < 3; i++) {
      await s.visit()
      const waitMs = (await s.schedule()).nextVisitAt - s.clock.now()
      minutes.push(Math.round(waitMs / MINUTE_MS))
      s.pass(waitMs)
    }
    assert.deepEqual(minutes, [10, 20, 40])
  })

  test('is asked for again after ten minutes as long as only the budget is short', async () => {
    const s = await open()
    s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
    await s.visit()
    await addHole(s, 11, 41)
    for (let i = 0; i < 6; i++) {
      s.pass(HOUR_MS)
      await s.visit({ reserve: 0 })
      const { nextVisitAt } = await s.schedule()
      assert.equal(nextVisitAt - s.clock.now(), 10 * MINUTE_MS)
    }
  })
})
