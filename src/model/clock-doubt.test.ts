import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clockDoubt, whyNotPrune } from './clock-doubt.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 86_400_000
const UNKNOWN = { isConfirmed: false, isContradicted: false }
const CONFIRMED = { isConfirmed: true, isContradicted: false }

describe('a clock checked against the archive', () => {
  test('is doubted if the newest post is in the future or more than a month old', () => {
    const newest = (newestPostAt: number | null) => ({ oldestPostAt: null, newestPostAt })
    assert.equal(clockDoubt(NOW, newest(null)), undefined)
    assert.equal(clockDoubt(NOW, newest(NOW - 20 * DAY)), undefined)
    assert.match(clockDoubt(NOW, newest(NOW - 400 * DAY)) ?? '', /400 days ago/)
    assert.match(clockDoubt(NOW, newest(NOW + 3 * DAY)) ?? '', /3 days later/)
  })

  test('allows no pruning if it is far from the archive or the platform contradicts it', () => {
    const archive = { oldestPostAt: NOW - 90 * DAY, newestPostAt: NOW }
    const at = (now: number) => ({ now, since: now - 90 * DAY })
    assert.equal(whyNotPrune(archive, at(NOW + DAY), UNKNOWN), undefined)
    assert.match(whyNotPrune(archive, at(NOW + 400 * DAY), UNKNOWN) ?? '', /400 days ago/)
    assert.match(
      whyNotPrune(archive, at(NOW), { ...UNKNOWN, isContradicted: true }) ?? '',
      /another time/,
    )
  })

  test('allows most of the archive to be pruned only if the platform has confirmed it', () => {
    const archive = { oldestPostAt: NOW - 900 * DAY, newestPostAt: NOW }
    const prune = { now: NOW, since: NOW - 30 * DAY }
    assert.match(whyNotPrune(archive, prune, UNKNOWN) ?? '', /most of the archive/)
    assert.equal(whyNotPrune(archive, prune, CONFIRMED), undefined)
  })
})
