import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulk } from '../../test/simulated/bulk-posts.ts'
import { analyze } from './analyze.ts'
import { analyzeQueryWord } from './analyze-query.ts'
import { stemmersFor } from './stem/stem.ts'

test('the stemmers selected for a language match the same words as all stemmers', () => {
  const bulk = createBulk({ seed: 5, count: 300, channels: 120 })
  const words = new Set<string>(['день', 'Müller', 'الكتاب', 'men', 'çalıştı', 'їжа', 'ebook7'])
  const texts = Array.from({ length: 300 }, (_, i) => bulk.post(i))
  for (const { post } of texts)
    for (const word of post.text.split(/\s+/).slice(2, 4)) words.add(word)
  const asked = [...words].map((word) => ({
    word,
    all: new Set(
      analyzeQueryWord(word)
        .alternatives.flat()
        .flatMap(({ stems }) => stems),
    ),
  }))
  for (const language of new Set([
    ...texts.map(({ channel }) => channel.language),
    'xx',
    'vi',
    null,
  ])) {
    const stemmers = stemmersFor(language)
    const held = new Set<string>()
    for (const { post } of texts) {
      // Every post in every language: channels quote one another.
      for (const { stem } of analyze(post.text, language).tokens) held.add(stem)
    }
    for (const { word, all } of asked) {
      const needed = analyzeQueryWord(word, stemmers).alternatives.flat()
      const found = new Set(needed.flatMap(({ stems }) => stems)).intersection(held)
      assert.deepEqual(
        [...found].sort(),
        [...all.intersection(held)].sort(),
        `${language}: ${word}`,
      )
    }
  }
})
