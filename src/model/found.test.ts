import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found } from './found.ts'

test('a value found in place of the expected one is described briefly', () => {
  for (const [value, told] of [
    ['snow', '"snow"'],
    ['a "b"', '"a \\"b\\""'],
    ['x'.repeat(70), `"${'x'.repeat(63)}…"`],
    ['', '""'],
    [5, '5'],
    [false, 'false'],
    [null, 'null'],
    [undefined, 'nothing'],
    [['snow'], 'a list'],
    [[], 'an empty list'],
    [{ q: 'snow' }, 'an object'],
  ] as const) {
    assert.equal(found(value), told)
  }
})
