import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrinter, foreign, stripControls } from './print.ts'

test('control sequences are stripped, except for line ends, tabs and our own colours', () => {
  const plain = 'one\ttwo\r\n\u001b[1;33mthree\u001b[0m ё 新 👍'
  assert.equal(stripControls(plain), plain)
  assert.equal(stripControls('\u001b]0;title\u0007a\u001b[2Jb\rc\u009b2Jd\0'), ']0;titlea[2Jbc2Jd')
  assert.equal(stripControls('\u001b[8mhidden\u001b[0m'), '[8mhidden\u001b[0m')
})

test('JSON output contains no control characters and parses back to the same value', () => {
  let told = ''
  const stream = { write: (text: string) => (told += text) !== '', columns: 80, isTTY: true }
  const value = { name: 'a\u009b2Jb\u007f\u0085c\u001b[2J ё' }
  createPrinter({ color: false }, { stdout: stream, stderr: stream }).json(value)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(told, /[\0-\u0009\u000b-\u001f\u007f-\u009f]/)
  assert.deepEqual(JSON.parse(told), value)
})

test('words of a stranger stay on one line, without control sequences, colours or reordered text', () => {
  assert.equal(
    foreign('a\r\n\u001b[32mb\u001b[0m\u0085c\u2028d\u202ee ё 新'),
    'a [32mb [0m c d e ё 新',
  )
  assert.equal(foreign('x'.repeat(1_000)).length, 300)
})
