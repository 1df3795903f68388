import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted } from './markdown-words.ts'

test('a count of one takes the singular', () => {
  assert.deepEqual(
    [0, 1, 2, 4200].map((value) => counted(value, 'view')),
    ['0 views', '1 view', '2 views', '4.2K views'],
  )
})
