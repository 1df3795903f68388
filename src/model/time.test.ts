import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from './time.ts'

test('times are parsed in their time zone, and in UTC without one', () => {
  const noon = Date.UTC(2024, 1, 29, 12)
  for (const text of [
    '2024-02-29T12:00:00Z',
    '2024-02-29T12:00:00.000000Z',
    '2024-02-29T12:00Z',
    '2024-02-29T12:00:00',
    '2024-02-29T15:00:00+03:00',
    '2024-02-29T15:00:00+0300',
    '2024-02-28T23:30:00-12:30',
  ]) {
    assert.equal(parseTime(text), noon, text)
  }
})

test('invalid times, and days that their month does not have, are rejected', () => {
  for (const text of [
    '2026-02-29T12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-13-10T12:00:00Z',
    '2026-11-01T25:00:00Z',
    '2026-11-01T00:00:00+25:00',
    '2026-11-01',
    '2026-11-01T12:00:00 local',
    '1 November 2026',
    '',
  ]) {
    assert.equal(parseTime(text), undefined, text)
  }
})
