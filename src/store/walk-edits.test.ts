import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_EDITS } from './contract/samples.ts'
import type { EditHead } from './edit-rules.ts'
import { comparePositions, positionOf, walkEdits } from './walk-edits.ts'

test('sorted by views, a post with more edits than a page looks at is listed once', async () => {
  const order = 'views'
  const post = { channelId: 1, views: 9, language: null, isDeleted: false, named: [] }
  const edit = { ...post, at: 5, kinds: ['text'] as const }
  const heads: EditHead[] = Array.from({ length: 30_000 }, (_, i) => {
    return { ...edit, number: 2, revision: 30_000 - i }
  })
  heads.push({ ...edit, number: 1, revision: 1 })
  const numbers: number[] = []
  for (let after: string | null = null, pages = 0; pages < 5; pages++) {
    const query = { ...ALL_EDITS, order, limit: 10, after } as const
    const page = await walkEdits(query, async (_channelId, position, limit) =>
      heads
        .filter((head) => comparePositions(position, positionOf(head, order)) < 0)
        .slice(0, limit),
    )
    numbers.push(...page.items.map(({ number }) => number))
    after = page.next
    if (after === null) break
  }
  assert.deepEqual(numbers, [2, 1])
})
