import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulk } from '../../test/simulated/bulk-posts.ts'
import { analyze } from './analyze.ts'
import { firstLetters } from './first-letter.ts'

test('firstLetters never excludes a word whose stem is wanted', () => {
  const bulk = createBulk({ seed: 3, count: 4000, channels: 200 })
  const wrong = new Set<string>()
  const seen = new Set<string>()
  for (let i = 0; i < 4000; i++) {
    const { channel, post } = bulk.post(i)
    for (const { tok, stem, start } of analyze(post.text, channel.language).tokens) {
      const wants = firstLetters([stem], channel.language)
      if (!wants) break
      seen.add(channel.language)
      if (!wants(post.text.charCodeAt(start))) wrong.add(`${channel.language}: ${tok} → ${stem}`)
    }
  }
  assert.deepEqual([...wrong], [])
  for (const language of ['en', 'ru', 'uk', 'de', 'fr', 'es', 'tr', 'fa', 'ar']) {
    assert.ok(seen.has(language), language)
  }
})

test('firstLetters excludes words that begin with other letters', () => {
  const isWanted = (word: string, term: string, language: string | null) =>
    firstLetters([term], language)!(word.charCodeAt(0))
  assert.ok(!isWanted('Horse', 'cat', 'en'))
  assert.ok(isWanted('Cats', 'cat', 'en'))
  assert.ok(isWanted('École', 'ecol/fr', 'fr'))
  assert.ok(isWanted('الشرقية', 'شرق/ar', 'en'), 'an Arabic word of an English post')
  assert.ok(!isWanted('شرق', 'غرب/fa', 'fa'))
  assert.ok(isWanted('می‌کند', 'کن/fa', 'fa'))
  assert.ok(isWanted('大学', 'cat', 'en'), 'what has no letters of an alphabet is always read')
  // The first letter of сlub is Cyrillic.
  assert.ok(isWanted('\u0441lub', 'club', 'en'))
  assert.equal(firstLetters(['x'], 'sw'), undefined)
})
