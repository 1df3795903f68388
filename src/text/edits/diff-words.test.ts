import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.ts'
import { diffWords } from './diff-words.ts'

test('a diff contains both texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'слово'), { maxLength: 30 })
    .map((w) => w.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffWords(before, after)
      const of = (left: string) =>
        pieces
          .filter((p) => p.kind !== left)
          .map((p) => p.text)
          .join('')
      assert.equal(of('added'), before)
      assert.equal(of('removed'), after)
    }),
  )
})

test('only what changed is marked', () => {
  assert.deepEqual(diffWords('the old price is 5', 'the new price is 5'), [
    { kind: 'same', text: 'the ' },
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
    { kind: 'same', text: ' price is 5' },
  ])
})

test('a rewritten sentence is shown as two sentences, not as interleaved words', () => {
  assert.deepEqual(diffWords('Now: oil is cheap.\nold end', 'Now: gas got dear.\nnew end'), [
    { kind: 'same', text: 'Now: ' },
    { kind: 'removed', text: 'oil is cheap.' },
    { kind: 'added', text: 'gas got dear.' },
    { kind: 'same', text: '\n' },
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
    { kind: 'same', text: ' end' },
  ])
})
