import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulk } from '../../test/simulated/bulk-posts.ts'
import { analyze } from './analyze.ts'
import { firstLetters } from './first-letters.ts'

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
      if (!wants(post.text.charCodeAt(start), post.text.charCodeAt(start + 1)))
        wrong.add(`${channel.language}: ${tok} → ${stem}`)
    }
  }
  assert.deepEqual([...wrong], [])
  for (const language of ['en', 'ru', 'uk', 'es', 'tr', 'fa', 'ar']) {
    assert.ok(seen.has(language), language)
  }
})

test('firstLetters excludes no word of any language in a post of another one', () => {
  const bulk = createBulk({ seed: 4, count: 400, channels: 200 })
  const words = new Set<string>()
  for (let i = 0; i < 400; i++) {
    for (const [word] of bulk.post(i).post.text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) words.add(word)
  }
  const more = 'men women feet teeth told felt eyed fought Häuser größer Öfen était Élèves Œuvres'
  for (const word of more.split(' ')) words.add(word)
  const wrong: string[] = []
  for (const language of [
    'en',
    'ru',
    'uk',
    'be',
    'bg',
    'ky',
    'de',
    'fr',
    'es',
    'it',
    'tr',
    'ar',
    'fa',
  ]) {
    for (const word of words) {
      for (const { tok, stem, start } of analyze(word, language).tokens) {
        const [unit, next] = [word.charCodeAt(start), word.charCodeAt(start + 1)]
        for (const term of new Set([tok, stem])) {
          if (!firstLetters([term], language)!(unit, next)) wrong.push(`${language}: ${word}`)
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('firstLetters excludes words that begin with other letters', () => {
  const isWanted = (word: string, term: string, language: string | null) =>
    firstLetters([term], language)!(word.charCodeAt(0), word.charCodeAt(1))
  assert.ok(!isWanted('Horse', 'cat', 'en'))
  assert.ok(!isWanted('Cow', 'cat', 'en'))
  assert.ok(isWanted('Cats', 'cat', 'en'))
  assert.ok(isWanted('told', 'tell/en', 'en'), 'an irregular form')
  assert.ok(isWanted('eyed', 'ei/en', 'en'))
  assert.ok(isWanted('c\u00adat', 'cat', 'en'), 'a soft hyphen after the first letter')
  assert.ok(isWanted('a', 'a', 'en'))
  assert.ok(!isWanted('a cat', 'at', 'en'))
  assert.ok(isWanted('École', 'ecol/fr', 'fr'))
  assert.ok(isWanted('الشرقية', 'شرق/ar', 'en'), 'an Arabic word of an English post')
  assert.ok(!isWanted('شرق', 'غرب/fa', 'fa'))
  assert.ok(isWanted('می‌کند', 'کن/fa', 'fa'))
  assert.ok(isWanted('大学', 'cat', 'en'), 'what has no letters of an alphabet is always read')
  // The first letter of сlub is Cyrillic.
  assert.ok(isWanted('\u0441lub', 'club', 'en'))
  assert.equal(firstLetters(['x'], 'sw'), undefined)
})
