import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulk, generatePosts } from './bulk-posts.ts'
import { generateQueries } from './bulk-queries.ts'
import { LANGUAGES } from '../../src/simulator/texts/languages.ts'
import { processorMs, yardstickMs } from '../processor-time.ts'

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

test('some posts repeat an earlier one, as forwards or as copies', () => {
  const posts = [...generatePosts(OPTIONS)]
  const texts = new Set<string>()
  let forwards = 0
  let reposts = 0
  for (const { post } of posts) {
    if (post.forwardedFrom && texts.has(post.text)) forwards++
    else if (texts.has(post.text.slice(0, post.text.lastIndexOf('\n')))) reposts++
    texts.add(post.text)
  }
  assert.ok(forwards > 30 && reposts > 30, `${forwards} forwards, ${reposts} reposts`)
})

test('the vocabulary has common words and a long tail, and all languages occur', () => {
  const counts = new Map<string, number>()
  const languages = new Set<string>()
  for (const { channel, post } of generatePosts({ ...OPTIONS, count: 20_000 })) {
    languages.add(channel.language)
    for (const word of post.text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  assert.equal(languages.size, LANGUAGES.length)
  const frequencies = [...counts.values()].sort((a, b) => b - a)
  assert.ok(frequencies.length > 30_000, `${frequencies.length} forms`)
  assert.ok((frequencies[0] ?? 0) > 2000, `the commonest ${frequencies[0]} times`)
  assert.ok(frequencies.filter((count) => count === 1).length > frequencies.length / 4)
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

test('generating bulk posts is fast enough for millions', (t) => {
  const options = { seed: 2, count: 20_000, channels: 500 }
  let characters = 0
  for (const { post } of generatePosts({ ...options, count: 2000 })) characters += post.text.length
  const ms = processorMs(() => {
    for (const { post } of generatePosts(options)) characters += post.text.length
  })
  const perSecond = Math.round(options.count / (ms / 1000))
  t.diagnostic(`${perSecond} posts/s, ${Math.round(characters / 22_000)} characters each`)
  assert.ok(ms < 1_500 * yardstickMs(), `${perSecond} posts/s`)
})
