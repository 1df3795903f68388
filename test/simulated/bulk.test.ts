import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulk, generatePosts } from './bulk-posts.ts'
import { generateQueries } from './bulk-queries.ts'

const OPTIONS = { seed: 'bulk', count: 5000, channels: 200 }

test('bulk posts are reproducible, ascend in time, and have entity offsets within their text', () => {
  const posts = [...generatePosts(OPTIONS)]
  assert.equal(posts.length, OPTIONS.count)
  assert.deepEqual(createBulk(OPTIONS).post(1234), posts[1234])
  let last = 0
  for (const { channel, post } of posts) {
    assert.ok(post.publishedAt >= last)
    last = post.publishedAt
    assert.ok(post.text.length > 0 && channel.username.length >= 4)
    for (const { offset, length } of post.entities) assert.ok(offset + length <= post.text.length)
  }
})

test('queries come in the configured mix, and their words occur in their source posts', () => {
  const kinds = { words: 0, phrase: 0, filter: 0, question: 0 }
  for (const { q, kind, source } of generateQueries({ ...OPTIONS, queries: 2000 })) {
    kinds[kind]++
    const text = source.post.text.toLowerCase()
    if (kind === 'words') {
      const words = q.split(' ')
      assert.ok(words.length >= 1 && words.length <= 6)
      for (const word of words)
        assert.ok(text.includes(word) || word === source.channel.username, q)
    }
    if (kind === 'phrase') assert.ok(text.includes(q.slice(1, -1).toLowerCase()), q)
  }
  assert.ok(kinds.phrase > 150 && kinds.phrase < 250, JSON.stringify(kinds))
  assert.ok(kinds.filter > 330 && kinds.filter < 470)
  assert.ok(kinds.question > 150 && kinds.question < 250)
})
