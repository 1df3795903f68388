import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewTime } from './common.ts'

test('a time is RFC 3339 in UTC, with a fraction only if it has one', () => {
  assert.equal(viewTime(0), '1970-01-01T00:00:00Z')
  assert.equal(viewTime(Date.UTC(2026, 1, 28, 23, 59, 59)), '2026-02-28T23:59:59Z')
  assert.equal(viewTime(Date.UTC(2028, 1, 29, 0, 0, 0, 7)), '2028-02-29T00:00:00.007Z')
  assert.equal(viewTime(-1000), '1969-12-31T23:59:59Z')
  assert.equal(viewTime(Date.UTC(10_000, 0)), '+010000-01-01T00:00:00Z')
  assert.throws(() => viewTime(NaN), RangeError)
  for (let at = 0; at < Date.UTC(2100, 0); at += 86_399_001 * 17) {
    assert.equal(viewTime(at), new Date(at).toISOString().replace('.000Z', 'Z'))
  }
})
