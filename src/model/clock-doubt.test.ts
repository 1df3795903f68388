import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clockDoubt, whyNotPrune } from './clock-doubt.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 86_400_000
const UNKNOWN = { isConfirmed: false, isContradicted: false }
const CONFIRMED = { isConfirmed: true, isContradicted: false }

describe('what the archive knows against a clock', () => {
  test('posts of tomorrow, and none for a month', () => {
    const newest = (newestPostAt: number | null) => ({ oldestPostAt: null, newestPostAt })
    assert.equal(clockDoubt(NOW, newest(null)), undefined)
    assert.equal(clockDoubt(NOW, newest(NOW - 20 * DAY)), undefined)
    assert.match(clockDoubt(NOW, newest(NOW - 400 * DAY)) ?? '', /400 days ago/)
    assert.match(clockDoubt(NOW, newest(NOW + 3 * DAY)) ?? '', /3 days later/)
  })

  test('nothing is pruned by a clock that is far from the archive, or that the platform denies', () => {
    const archive = { oldestPostAt: NOW - 90 * DAY, newestPostAt: NOW }
    const at = (now: number) => ({ now, since: now - 90 * DAY })
    assert.equal(whyNotPrune(archive, at(NOW + DAY), UNKNOWN), undefined)
    assert.match(whyNotPrune(archive, at(NOW + 400 * DAY), UNKNOWN) ?? '', /400 days ago/)
    assert.match(
      whyNotPrune(archive, at(NOW), { ...UNKNOWN, isContradicted: true }) ?? '',
      /another time/,
    )
  })

  test('most of the archive goes only when the platform has told the same time', () => {
    const archive = { oldestPostAt: NOW - 900 * DAY, newestPostAt: NOW }
    const prune = { now: NOW, since: NOW - 30 * DAY }
    assert.match(whyNotPrune(archive, prune, UNKNOWN) ?? '', /most of the archive/)
    assert.equal(whyNotPrune(archive, prune, CONFIRMED), undefined)
  })
})
