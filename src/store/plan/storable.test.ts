import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertGrowsByLength } from '../../../test/processor-time.ts'
import type { Entity } from '../../model/post.ts'
import { samplePost } from '../contract/samples.ts'
import { storable } from './storable.ts'

const bold = (offset: number, length: number): Entity => ({ type: 'bold', offset, length })

test('entities stay on the words they mark when characters before or within them are dropped', () => {
  const text = '\0ab\ud800c🚢\0\0d\0'
  const entities = [bold(0, 1), bold(1, 2), bold(2, 5), bold(5, 2), bold(7, 2), bold(8, 2)]
  const post = storable(samplePost(1, { text, entities }))
  assert.equal(post.text, 'abc🚢d')
  assert.deepEqual(
    post.entities.map(({ offset, length }) => post.text.substr(offset, length)),
    ['ab', 'bc🚢', '🚢', 'd'],
  )
})

test('the time to clean a text full of U+0000 grows linearly, however many entities it has', () => {
  assertGrowsByLength((length) => {
    const text = 'a\0'.repeat(length)
    const entities = Array.from({ length: length / 4 }, (_, i) => bold(8 * i, 4))
    storable(samplePost(1, { text, entities }))
  }, 16_000)
})
