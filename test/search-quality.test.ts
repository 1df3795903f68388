import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { evaluate, readJudged } from './judged/evaluate.ts'

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
