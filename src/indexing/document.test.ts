import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArchivedPost } from '../model/post.ts'
import { makePost } from '../store/contract/make-post.ts'
import { countersOf } from './document.ts'

test('counters are capped at the largest value an index can hold', () => {
  const count = (value: number) => ({ value, approx: true, raw: 'many', asOf: 0 })
  const reaction = { emoji: '👍', customId: null, paid: false, count: count(3_000_000_000) }
  const post = makePost({
    number: 1,
    publishedAt: 0,
    views: count(2 ** 32),
    reactions: [reaction, reaction],
  }) as ArchivedPost
  assert.deepEqual(countersOf(post), { views: 2 ** 32 - 1, reactions: 2 ** 32 - 1 })
})
