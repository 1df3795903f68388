import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from './parse-instant.ts'

const NOW = Date.UTC(2026, 4, 31, 12)

test('dates, date-times and ages are read', () => {
  const read = (text: string) => {
    const at = parseInstant(text, NOW)
    return at === undefined ? undefined : new Date(at).toISOString()
  }
  assert.equal(read('2026-05-01'), '2026-05-01T00:00:00.000Z')
  assert.equal(read('2026-05-01T10:20:30Z'), '2026-05-01T10:20:30.000Z')
  assert.equal(read('2026-05-01t10:20:30.1234z'), '2026-05-01T10:20:30.123Z')
  assert.equal(read('2026-05-01T10:20:30-02:30'), '2026-05-01T12:50:30.000Z')
  assert.equal(read('2026-05-01T10:20'), '2026-05-01T10:20:00.000Z')
  assert.equal(read('90m'), '2026-05-31T10:30:00.000Z')
  assert.equal(read('24H'), '2026-05-30T12:00:00.000Z')
  assert.equal(read('2w'), '2026-05-17T12:00:00.000Z')
})

test('what is no time is refused', () => {
  const refused = [
    '',
    'x',
    '7',
    '7y',
    '2026-13-01',
    '2026-02-29',
    '2026-05-01T25:00:00Z',
    '2026-05-01T10:00:00+25:00',
    '0001-01-01',
    '9999999d',
  ]
  for (const text of refused) assert.equal(parseInstant(text, NOW), undefined, text)
})
