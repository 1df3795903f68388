import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from '../../test/watch/samples.ts'
import { subjectOf, textOf } from './message.ts'

test('the subject of a message hides spoilers; its text has the whole post', async () => {
  const message = await messageOf(['It was the butler'])
  const spoiler = { type: 'spoiler' as const, offset: 11, length: 6 }
  const items = message.items.map((item) => ({
    ...item,
    post: { ...item.post, entities: [spoiler] },
  }))
  const spoiled = { ...message, items }
  assert.equal(subjectOf(spoiled), 'storms: It was the ██████')
  assert.match(textOf(spoiled), /It was the butler/)
})
