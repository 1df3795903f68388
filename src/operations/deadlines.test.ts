import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../model/clock.ts'
import { createDeadlines, TOO_LATE } from './deadlines.ts'

/** Time that passes on demand, in steps of a tick. */
function createTime() {
  let elapsed = 0
  let startedAt = 0
  let wake: (() => void)[] = []
  const clock: Clock = {
    now: () => startedAt + elapsed,
    elapsed: () => elapsed,
    sleep: () => new Promise((resolve) => wake.push(resolve)),
  }
  return {
    clock,
    async pass(ms: number) {
      for (const until = elapsed + ms; elapsed < until;) {
        elapsed += 500
        const sleepers = wake
        wake = []
        for (const each of sleepers) each()
        await new Promise(setImmediate)
      }
    },
    setBack: (ms: number) => void (startedAt -= ms),
    isAsleep: () => wake.length > 0,
  }
}

const never = () => new Promise<never>(() => {})

describe('deadlines', () => {
  for (const [kind, ms] of [
    ['other', 10_000],
    ['live', 30_000],
  ] as const) {
    test(`hanging ${kind} work fails as unavailable after ${ms} ms, whether or not it heeds its signal`, async () => {
      const time = createTime()
      const deadlines = createDeadlines(time.clock)
      const abort = new AbortController()
      let error: unknown
      void deadlines.hold(kind, abort, never).catch((reason: unknown) => (error = reason))
      const listening = new AbortController()
      let heard: unknown
      const work = () =>
        new Promise<never>((_, reject) => {
          listening.signal.onabort = () => reject(new Error('aborted'))
        })
      void deadlines.hold(kind, listening, work).catch((reason: unknown) => (heard = reason))
      await time.pass(ms - 500)
      assert.equal(error, undefined)
      assert.equal(abort.signal.aborted, false)
      await time.pass(500)
      for (const each of [error, heard] as { code?: string; retryAfterS?: number }[]) {
        assert.equal(each.code, 'unavailable')
        assert.equal(each.retryAfterS, 1)
      }
      assert.equal(abort.signal.reason, TOO_LATE)
    })
  }

  test('are not extended by a clock that is set back', async () => {
    const time = createTime()
    const abort = new AbortController()
    void createDeadlines(time.clock)
      .hold('other', abort, never)
      .catch(() => {})
    time.setBack(3_600_000)
    await time.pass(10_000)
    assert.equal(abort.signal.reason, TOO_LATE)
  })

  test('do not touch work that ends in time, and leave no timer behind', async () => {
    const time = createTime()
    const deadlines = createDeadlines(time.clock)
    const abort = new AbortController()
    assert.equal(await deadlines.hold('other', abort, async () => 'done'), 'done')
    await assert.rejects(
      deadlines.hold('other', abort, async () => Promise.reject(new Error('its own'))),
      /its own/,
    )
    await time.pass(60_000)
    assert.equal(abort.signal.aborted, false)
    assert.equal(time.isAsleep(), false)
  })
})
