import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createStillClock } from '../simulator/clocks.ts'
import { createClockCheck, type ClockCheck, type Witness } from './clock-check.ts'
import { clockDoubt, whyNotPrune } from './clock-doubt.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 86_400_000

function checkOf(whose?: Witness, aheadMs = 0): ClockCheck {
  const check = createClockCheck(createStillClock(NOW))
  if (whose) check.hear(whose, NOW - aheadMs)
  return check
}

describe('a clock checked against the archive', () => {
  test('is doubted if the newest post is in the future or more than a month old', () => {
    const newest = (newestPostAt: number | null) => ({ oldestPostAt: null, newestPostAt })
    assert.equal(clockDoubt(NOW, newest(null)), undefined)
    assert.equal(clockDoubt(NOW, newest(NOW - 20 * DAY)), undefined)
    assert.match(clockDoubt(NOW, newest(NOW - 400 * DAY)) ?? '', /400 days ago/)
    assert.match(clockDoubt(NOW, newest(NOW + 3 * DAY)) ?? '', /3 days later/)
  })

  test('allows no pruning while the time is unknown or wrong, nor by a database that is far from the archive', () => {
    const archive = { oldestPostAt: NOW - 90 * DAY, newestPostAt: NOW }
    const at = (now: number) => ({ now, since: now - 90 * DAY })
    assert.match(whyNotPrune(archive, at(NOW), checkOf()) ?? '', /nobody has told the time/)
    const wrong = whyNotPrune(archive, at(NOW), checkOf('platform', 400 * DAY))
    assert.match(wrong ?? '', /400 days ahead of that of the platform/)
    const told = checkOf('database')
    assert.equal(whyNotPrune(archive, at(NOW + DAY), told), undefined)
    assert.match(whyNotPrune(archive, at(NOW + 400 * DAY), told) ?? '', /400 days ago/)
  })

  test('allows most of the archive to be pruned only if the platform has told the time', () => {
    const archive = { oldestPostAt: NOW - 900 * DAY, newestPostAt: NOW }
    const prune = { now: NOW, since: NOW - 30 * DAY }
    assert.match(whyNotPrune(archive, prune, checkOf('database')) ?? '', /most of the archive/)
    assert.equal(whyNotPrune(archive, prune, checkOf('platform')), undefined)
  })
})
