import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSharedPrefix } from './shared-prefix.ts'
import { asRun, createUnit } from './rank-unit.ts'

const stats = { posts: 1_000, df: () => 3 }
const unitOf = (text: string, isFunctionWord = false) =>
  createUnit(text, [[{ toks: [text], stems: [] }]], stats, isFunctionWord)
const beginnings = (units: ReturnType<typeof unitOf>[]) =>
  withSharedPrefix(units, (prefix) => ({ toks: [`${prefix}s`], complete: true }))
    .slice(units.length)
    .map(({ sharesPrefixOf, alternatives }) => {
      const place = alternatives[0]![0]!
      return [sharesPrefixOf, place.prefix, place.toks[0]]
    })

test('related words share a prefix with a long word, which is longer for longer words', () => {
  assert.deepEqual(beginnings(['storm', 'bridge', 'constitutional'].map((each) => unitOf(each))), [
    [1, 'bridg', 'bridgs'],
    [2, 'constitut', 'constituts'],
  ])
  assert.deepEqual(beginnings([unitOf('الحكومة'), unitOf('الحكومية')]), [
    [1, 'الحكومي', 'الحكوميs'],
  ])
})

test('function words, runs, numbers and phrases have no related words', () => {
  const phrase = createUnit('green bridge', [['green', 'bridge'].map(placeOf)], stats)
  const units = [unitOf('welches', true), asRun(unitOf('bridges')), unitOf('1234567'), phrase]
  assert.deepEqual(beginnings(units), [])
})

test('a query of very many words gets related words for the first few only', () => {
  const units = Array.from({ length: 60 }, (_, i) =>
    unitOf(`bridge${String.fromCharCode(0x430 + i)}`),
  )
  assert.equal(withSharedPrefix(units, () => ({ toks: [], complete: true })).length, 64)
})

function placeOf(tok: string) {
  return { toks: [tok], stems: [] }
}
