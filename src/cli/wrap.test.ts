import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth } from './print.ts'
import { wrap } from './wrap.ts'
import { assertGrowsByLength } from '../../test/processor-time.ts'

test('lines are broken at spaces and keep every word', () => {
  const text = 'The river flooded the old town again and nobody was surprised at all'
  for (let width = 10; width < 80; width += 1) {
    const lines = wrap(text, width)
    assert.ok(
      lines.every((line) => displayWidth(line) <= width),
      String(width),
    )
    assert.equal(lines.join(' '), text)
  }
  assert.deepEqual(wrap('a\n\nb', 10), ['a', '', 'b'])
})

test('text in a script without spaces is broken between characters', () => {
  assert.deepEqual(wrap('日本語テキスト', 6), ['日本語', 'テキス', 'ト'])
  assert.deepEqual(wrap('e\u0301'.repeat(4), 2), ['e\u0301e\u0301', 'e\u0301e\u0301'])
})

test('an address is not broken, and colour codes have no width', () => {
  const address = 'https://example.org/a/very/long/path'
  assert.deepEqual(wrap(`see ${address} now`, 12), ['see', address, 'now'])
  assert.deepEqual(wrap(`see ${address}\u00a0now then`, 12), [
    'see',
    `${address}\u00a0`,
    'now then',
  ])
  assert.deepEqual(wrap('\u001b[1mone\u001b[0m two three', 7), [
    '\u001b[1mone\u001b[0m two',
    'three',
  ])
})

test('the time to wrap a long address grows linearly with its length', () => {
  assertGrowsByLength((length) => {
    const address = `https://example.org/${'a'.repeat(length)}`
    assert.deepEqual(wrap(`${address} now`, 80), [address, 'now'])
  }, 16_000)
})
