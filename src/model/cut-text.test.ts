import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipText, cutText } from './cut-text.ts'

test('a text is cut to a number of UTF-16 units, never within a character', () => {
  const faces = '😀'.repeat(50)
  for (const max of [40, 41, 42]) {
    assert.equal(clipText(faces, max), '😀'.repeat(Math.floor(max / 2)))
    assert.equal(cutText(faces, max), `${'😀'.repeat(Math.floor((max - 1) / 2))}…`)
  }
  assert.equal(clipText(faces, 0), '')
  assert.equal(clipText(faces, 100), faces)
  assert.equal(cutText(faces, 100), faces)
})

test('a cut text ends with a whole word, unless little would be left', () => {
  assert.equal(cutText('snow fell on the harbour', 24), 'snow fell on the harbour')
  assert.equal(cutText('snow fell on the harbour', 20), 'snow fell on the…')
  assert.equal(cutText('snow fell \n on the harbour', 14), 'snow fell…')
  assert.equal(cutText('a harbourmasterdoesnotknow', 12), 'a harbourma…')
})
