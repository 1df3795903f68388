import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenArguments } from './given-arguments.ts'

const SCHEMA = {
  properties: { q: { type: 'string' }, lang: { type: 'array' }, limit: { type: 'integer' } },
}

test('null, empty texts and empty lists count as left out', () => {
  const input = { q: 'flood', since: '', cursor: ' ', lang: [], channel: ['', null], limit: null }
  assert.deepEqual(givenArguments(input, SCHEMA), { q: 'flood' })
  assert.deepEqual(givenArguments({ min_views: 0, strict: false, lang: ['', 'en'] }, SCHEMA), {
    min_views: 0,
    strict: false,
    lang: ['', 'en'],
  })
})

test('a list of lists is left to be refused, however deep it is', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  assert.deepEqual(Object.keys(givenArguments({ lang: nested }, SCHEMA)), ['lang'])
})

test('a list may be given as its JSON, a text stays as it is', () => {
  const of = (lang: unknown) => givenArguments({ lang }, SCHEMA)['lang']
  assert.deepEqual(of('["en", "ru"]'), ['en', 'ru'])
  assert.equal(of('[]'), undefined)
  assert.equal(of('en, ru'), 'en, ru')
  assert.equal(of('[en, ru]'), '[en, ru]')
  assert.deepEqual(givenArguments({ q: '["en"]' }, SCHEMA), { q: '["en"]' })
  assert.deepEqual(givenArguments({ q: 'flood' }, {}), { q: 'flood' })
})
