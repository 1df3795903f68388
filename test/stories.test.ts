import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeStories } from './stories.ts'

test("the API reports each simulated story's first post, order, kinds of copy and edits correctly", async () => {
  const { wrong, ...told } = await judgeStories(32, 3)
  assert.deepEqual(
    told,
    { stories: 32, first: 32, order: 32, came: 32, kinds: 32 },
    wrong.join('\n'),
  )
})
