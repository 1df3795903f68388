import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { humanLine } from './log.ts'

test('a log record becomes one line a person can read', () => {
  const line = humanLine({
    level: 'info',
    time: '2026-11-15T12:30:01.000Z',
    msg: 'visit finished',
    posts: 3,
    reason: 'two words',
  })
  assert.equal(
    stripVTControlCharacters(line),
    '12:30:01 info visit finished  posts=3 reason="two words"',
  )
})
