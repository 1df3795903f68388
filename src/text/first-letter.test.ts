import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../simulator/texts/languages.ts'
import { createBulk } from '../simulator/bulk-posts.ts'
import { analyze } from './analyze.ts'
import { keepsFirstLetter } from './first-letter.ts'
import { createMatcher } from './matcher.ts'

test('in languages that are read in part, a stem begins as its word does', () => {
  const bulk = createBulk({ seed: 3, count: 4000, channels: 200 })
  const wrong = new Set<string>()
  for (let i = 0; i < 4000; i++) {
    const { channel, post } = bulk.post(i)
    if (!keepsFirstLetter(channel.language)) continue
    for (const { tok, stem } of analyze(post.text, channel.language).tokens) {
      if (tok[0] !== stem[0]) wrong.add(`${channel.language}: ${tok} → ${stem}`)
    }
  }
  assert.deepEqual([...wrong], [])
})

test('a text read in part gives the matches of one read in whole', () => {
  const bulk = createBulk({ seed: 4, count: 600, channels: 100 })
  assert.ok(LANGUAGES.length > 5)
  for (let i = 0; i < 600; i++) {
    const { channel, post } = bulk.post(i)
    const words = analyze(post.text, channel.language).tokens
    const word = words[i % Math.max(1, words.length)]
    if (!word) continue
    const text = post.text.slice(word.start, word.end)
    const leaf = { kind: 'word', text, start: 0, end: text.length } as const
    const matcher = createMatcher(leaf, 'stem')
    const asRead = matcher.find(post.text, channel.language)
    assert.ok(
      asRead.some(({ start, end }) => start <= word.start && end >= word.end),
      `${channel.language}: ${text} is not found in its own post`,
    )
    const expected = words.filter(({ stem, tok }) => stem === word.stem || tok === word.tok)
    assert.ok(asRead.length >= expected.length, `${channel.language}: ${text}`)
  }
})
