import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance, suggest } from './suggest.ts'

test('edits are counted with swaps of neighbours as one', () => {
  assert.equal(editDistance('form', 'from'), 1)
  assert.equal(editDistance('kitten', 'sitting'), 3)
  assert.equal(editDistance('', 'abc'), 3)
  assert.equal(editDistance('same', 'same'), 0)
})

test('the nearest candidate is suggested, and none that is far', () => {
  const names = ['since', 'until', 'channel', 'exclude_channel', 'min_views']
  assert.equal(suggest('chanel', names), 'channel')
  assert.equal(suggest('Untill', names), 'until')
  assert.equal(suggest('minviews', names), 'min_views')
  assert.equal(suggest('exclude_chanels', names), 'exclude_channel')
  assert.equal(suggest('banana', names), undefined)
  assert.equal(suggest('', names), undefined)
  assert.equal(suggest('x'.repeat(10_000), names), undefined)
})

test('another name for a candidate means it, however far its letters are', () => {
  const names = ['q', 'sort', 'since', 'until', 'channel', 'lang', 'limit', 'cursor']
  for (const [word, meant] of [
    ['language', 'lang'],
    ['query', 'q'],
    ['from', 'channel'],
    ['after', 'since'],
    ['before', 'until'],
    ['order', 'sort'],
    ['page', 'cursor'],
    ['offset', 'cursor'],
    ['count', 'limit'],
    ['per_page', 'limit'],
  ] as const) {
    assert.equal(suggest(word, names), meant)
  }
  assert.equal(suggest('sort', ['order']), 'order')
  assert.equal(suggest('foto', ['gif', 'photo']), 'photo')
  assert.equal(suggest('markdown', ['json', 'md']), 'md')
  assert.equal(suggest('xlsx', ['json', 'csv', 'excel']), 'excel')
  assert.equal(suggest('type', ['q', 'kind', 'sort']), 'kind')
  assert.equal(suggest('new', ['views', 'newest']), 'newest')
  assert.equal(suggest('language', ['views', 'newest']), undefined)
})
