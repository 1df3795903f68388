import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createManualClock } from '../simulator/clocks.ts'
import { createClockCheck } from './clock-check.ts'

const START = Date.UTC(2026, 8, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR

function open(startAt = START) {
  const clock = createManualClock(startAt)
  const check = createClockCheck(clock)
  return { clock, check, is: () => [check.isRight(), check.isWrong()] }
}

const [RIGHT, WRONG, UNKNOWN] = [
  [true, false],
  [false, true],
  [false, false],
]

describe('a clock', () => {
  test('is neither right nor wrong before anybody has told the time, and again a day later', async () => {
    const { clock, check, is } = open()
    assert.deepEqual(is(), UNKNOWN)
    check.hear('platform', START + HOUR)
    assert.deepEqual(is(), RIGHT)
    assert.equal(check.aheadOf('platform'), -HOUR)
    assert.equal(check.aheadOf('database'), null)
    await clock.advance(DAY)
    assert.deepEqual(is(), RIGHT)
    await clock.advance(HOUR)
    assert.deepEqual(is(), UNKNOWN)
  })

  test('is wrong as soon as it leaps, and right as soon as it is set right', async () => {
    for (const leap of [400 * DAY, -400 * DAY]) {
      const { clock, check, is } = open()
      check.hear('platform', START)
      clock.set(START + leap)
      assert.deepEqual(is(), WRONG)
      const apart = leap > 0 ? /400 days ahead of that of the platform/ : /400 days behind that/
      assert.match(check.problem() ?? '', apart)
      await clock.advance(HOUR)
      assert.deepEqual(is(), WRONG)
      clock.set(START + HOUR)
      assert.deepEqual(is(), RIGHT)
      assert.equal(check.problem(), null)
    }
  })

  test('that leaps with the time, as when a machine has slept, is right with the next reply', () => {
    const { clock, check, is } = open()
    check.hear('platform', START)
    clock.set(START + 3 * DAY)
    assert.deepEqual(is(), WRONG)
    check.hear('platform', START + 3 * DAY)
    assert.deepEqual(is(), RIGHT)
  })

  test('is not doubted for one reply with another time, but for two that agree', () => {
    const { check, is } = open()
    check.hear('platform', START)
    check.hear('platform', START - 90 * DAY)
    assert.deepEqual(is(), RIGHT)
    check.hear('platform', START - 50 * DAY)
    assert.deepEqual(is(), RIGHT, 'they do not agree')
    check.hear('platform', START - 50 * DAY)
    assert.deepEqual(is(), WRONG)
    check.hear('platform', START)
    assert.deepEqual(is(), RIGHT)
  })

  test('that was wrong from the start writes nothing from the first reply on', () => {
    const { clock, check, is } = open(START + 400 * DAY)
    check.hear('platform', START)
    assert.deepEqual(is(), WRONG)
    check.hear('platform', START)
    clock.set(START)
    assert.deepEqual(is(), RIGHT)
  })

  test('is wrong if either the platform or the database says so', () => {
    const { check, is } = open()
    check.hear('database', START)
    assert.deepEqual(is(), RIGHT)
    check.hear('platform', START - 2 * DAY)
    assert.deepEqual(is(), WRONG)
    check.hear('platform', START)
    check.hear('database', START + 2 * DAY)
    check.hear('database', START + 2 * DAY)
    assert.match(check.problem() ?? '', /2 days behind that of the database/)
  })
})
