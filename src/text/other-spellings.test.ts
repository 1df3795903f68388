import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherSpellings } from './other-spellings.ts'

for (const [word, meant] of [
  ['ghbdtn', 'привет'],
  ['privet', 'привет'],
  ['shchuka', 'щука'],
  ['moskovskiy', 'московский'],
  ['vtntj', 'метео'],
  ['хуцы', '[ews'],
  ['руддщ', 'hello'],
] as const) {
  const isWord = /^\p{L}+$/u.test(meant)
  test(`${word} means ${isWord ? meant : 'nothing on another keyboard'}`, () => {
    assert.equal(otherSpellings(word).includes(meant), isWord)
  })
}

test('words in other scripts or with digits have no other spelling', () => {
  assert.deepEqual(otherSpellings('سلام'), [])
  assert.deepEqual(otherSpellings('h2o'), [])
})
