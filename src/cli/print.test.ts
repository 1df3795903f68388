import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harmless } from './print.ts'

test('of what steers a terminal only line ends, tabs and our own colours pass', () => {
  const plain = 'one\ttwo\r\n\u001b[1;33mthree\u001b[0m ё 新 👍'
  assert.equal(harmless(plain), plain)
  assert.equal(harmless('\u001b]0;title\u0007a\u001b[2Jb\rc\u009b2Jd\0'), ']0;titlea[2Jbc2Jd')
  assert.equal(harmless('\u001b[8mhidden\u001b[0m'), '[8mhidden\u001b[0m')
})
