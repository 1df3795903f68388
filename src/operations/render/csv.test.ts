import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cell } from './csv.ts'

test('a cell that a spreadsheet would evaluate is prefixed with an apostrophe, full-width signs included', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠SUM(A1)']) {
    assert.equal(cell(text), `'${text}`)
  }
  assert.equal(cell('\n=1'), '"\'\n=1"')
  for (const text of ['a=1', '1-2', '–1', 'ё']) assert.equal(cell(text), text)
  assert.equal(cell(-1), '-1')
})
