import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText } from '../../text/clean.ts'
import { PLAIN, servedLine } from './served-text.ts'
import { assertGrowsByLength } from '../../../test/processor-time.ts'

test('text that passes as plain is not changed by cleaning', () => {
  const changed: string[] = []
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = `a${String.fromCharCode(unit)}b`
    if (PLAIN.test(text) && cleanText(text, []).text !== text) changed.push(unit.toString(16))
  }
  assert.deepEqual(changed, [])
})

test('a title is put on one line', () => {
  assert.equal(servedLine('one \n two\u200b'), 'one two')
  assert.equal(servedLine(' \n\t\none\n\n  two \n'), ' one two ')
})

test('the time to clean a title of spaces grows linearly with its length', () => {
  assertGrowsByLength((length) => {
    const title = `${' '.repeat(length)}x`
    assert.equal(servedLine(`${title}\ny`), `${title} y`)
  }, 100_000)
})
