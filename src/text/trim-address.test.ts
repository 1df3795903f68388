import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trimAddress } from './trim-address.ts'

for (const [found, address] of [
  [
    'https://en.wikipedia.org/wiki/Mercury_(planet)',
    'https://en.wikipedia.org/wiki/Mercury_(planet)',
  ],
  [
    'https://en.wikipedia.org/wiki/Mercury_(planet)),',
    'https://en.wikipedia.org/wiki/Mercury_(planet)',
  ],
  ['https://example.com/a).', 'https://example.com/a'],
  ['https://example.com/a(b', 'https://example.com/a(b'],
  ['example.com/?q=(1).(2)…', 'example.com/?q=(1).(2)'],
  ['https://example.com', 'https://example.com'],
  ['...', ''],
] as const) {
  test(`${found} is trimmed to the address`, () => assert.equal(trimAddress(found), address))
}

test('a hundred thousand trailing brackets are trimmed', () => {
  assert.equal(trimAddress(`x${')'.repeat(100_000)}`), 'x')
})
