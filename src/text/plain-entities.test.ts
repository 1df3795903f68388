import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainEntities } from './plain-entities.ts'

test('links, mentions and tags in a plain text become entities', () => {
  const text = 'See https://example.org/a?b=1 and example.com, @durov #News $TON'
  const marked = plainEntities(text).map((e) => [
    e.type,
    text.slice(e.offset, e.offset + e.length),
    e.url,
  ])
  assert.deepEqual(marked, [
    ['link', 'https://example.org/a?b=1', 'https://example.org/a?b=1'],
    ['link', 'example.com', 'http://example.com'],
    ['mention', '@durov', 'https://t.me/durov'],
    ['hashtag', '#News', undefined],
    ['cashtag', '$TON', undefined],
  ])
})
