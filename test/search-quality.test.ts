import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createMemoryIndex } from '../src/search/open-search-index.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { documentOf, evaluate, JUDGED_NOW, readJudged } from './judged/evaluate.ts'

const judged = readJudged()

test('the judged set is large and mixed enough to mean something', () => {
  assert.ok(judged.posts.length >= 150)
  assert.ok(judged.queries.length >= 40)
  assert.ok(new Set(judged.queries.map((query) => query.language)).size >= 6)
  assert.ok(judged.queries.filter((query) => query.kind === 'question').length >= 10)
})

test('the ranker beats BM25, with stems and without, on the judged set', async () => {
  const { ours, bm25, bm25Stems } = await evaluate(judged)
  assert.ok(ours.mean > bm25.mean + 0.05, `${ours.mean} against ${bm25.mean} without stems`)
  assert.ok(ours.mean > bm25Stems.mean, `${ours.mean} against ${bm25Stems.mean} with stems`)
})

test('docs/search-quality.md tells the figures of today', async () => {
  const text = readFileSync(new URL('../docs/search-quality.md', import.meta.url), 'utf8')
  const told = /^\| all +\| *(\d+) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+) *\|$/m.exec(text)
  assert.ok(told, 'the row for all queries')
  const { ours, bm25, bm25Stems } = await evaluate(judged)
  assert.equal(Number(told[1]), judged.queries.length)
  for (const [i, mean] of [ours.mean, bm25Stems.mean, bm25.mean].entries()) {
    const figure = Number(told[i + 2])
    assert.ok(Math.abs(figure - mean) < 0.01, `the document says ${figure}, it is ${mean}`)
  }
})

const EDITS: Readonly<Record<string, { least: number; edit(words: readonly string[]): string }>> = {
  'copied as it is': { least: 1, edit: (words) => words.join(' ') },
  'with a footer that links': {
    least: 0.95,
    edit: (words) => `${words.join(' ')}\n\nMore at @somewhere https://t.me/somewhere`,
  },
  'behind a word of alarm': { least: 0.85, edit: (words) => `BREAKING: ${words.join(' ')}` },
  'with one word changed': {
    least: 0.7,
    edit: (words) => words.with(Math.floor(words.length / 2), 'otherwise').join(' '),
  },
}

for (const [name, { least, edit }] of Object.entries(EDITS)) {
  test(`a post ${name} is found to be the same, and nothing else is`, async (t) => {
    const { index, writer } = createMemoryIndex(createStillClock(JUDGED_NOW))
    const long = judged.posts.filter(({ document }) => document.toks.length >= 12)
    await writer.put(long.map((post) => post.document))
    const copies = long.map((post) =>
      documentOf({
        ...post.document,
        channelId: 900,
        language: post.language,
        text: edit(post.text.split(/\s+/)),
      }),
    )
    const alone = await Promise.all(long.map((post) => index.duplicates(post.document, 10)))
    // Two posts of the set repeat another one.
    assert.equal(alone.filter(Boolean).length, 4)
    await writer.put(copies)
    let found = 0
    for (const copy of copies) {
      const group = await index.duplicates(copy, 10)
      if (group?.members.some((each) => each.channelId !== 900 && each.number === copy.number))
        found++
    }
    const recall = found / copies.length
    t.diagnostic(`${found} of ${copies.length} found`)
    assert.ok(recall >= least, `recall ${recall}`)
  })
}
