import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeStories } from './stories.ts'

test('the first, the order, how each came and what was edited are told as they were', async () => {
  const { wrong, ...told } = await judgeStories(32, 3)
  assert.deepEqual(
    told,
    { stories: 32, first: 32, order: 32, came: 32, kinds: 32 },
    wrong.join('\n'),
  )
})
