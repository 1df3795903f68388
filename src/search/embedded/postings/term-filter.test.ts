import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFilter, filterHash, mayHold } from './term-filter.ts'

test('a filter passes every term of its segment, and hardly any other', () => {
  const terms = Array.from({ length: 20_000 }, (_, i) => `~word${i}/en`)
  const filter = createFilter(Uint32Array.from(terms, filterHash))
  assert.ok(terms.every((term) => mayHold(filter, filterHash(term))))
  const others = Array.from({ length: 100_000 }, (_, i) => `~word${i}/sv`)
  const through = others.filter((term) => mayHold(filter, filterHash(term))).length
  assert.ok(through < others.length / 500, `${through} of ${others.length} get through`)
})
