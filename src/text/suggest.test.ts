import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance, suggest } from './suggest.ts'

test('editDistance counts a swap of neighbours as one edit', () => {
  assert.equal(editDistance('form', 'from'), 1)
  assert.equal(editDistance('kitten', 'sitting'), 3)
  assert.equal(editDistance('', 'abc'), 3)
  assert.equal(editDistance('same', 'same'), 0)
})

test('the nearest candidate is suggested, but none that is far away', () => {
  const names = ['since', 'until', 'channel', 'exclude_channel', 'min_views']
  assert.equal(suggest('chanel', names), 'channel')
  assert.equal(suggest('Untill', names), 'until')
  assert.equal(suggest('minviews', names), 'min_views')
  assert.equal(suggest('exclude_chanels', names), 'exclude_channel')
  assert.equal(suggest('banana', names), undefined)
  assert.equal(suggest('', names), undefined)
  assert.equal(suggest('x'.repeat(10_000), names), undefined)
})

test('a synonym of a candidate is suggested, however different its letters', () => {
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
