import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMedia } from '../model/post.ts'
import { makePost } from '../store/contract/make-post.ts'
import { searchableText } from './searchable-text.ts'

const linesOf = (post: Parameters<typeof makePost>[0]) => searchableText(makePost(post)).split('\n')

test('a post is searchable by the visible texts of its media, each once', () => {
  const media = [
    makeMedia('game', { title: 'Tides', detail: 'Row before the water turns' }),
    makeMedia('invoice', { title: 'Lantern', detail: 'Hand-blown, 12 €' }),
    makeMedia('audio', { title: 'Foghorn', detail: 'Harbour Trio', fileName: 'Foghorn' }),
    makeMedia('document', { fileName: 'tables.pdf' }),
    makeMedia('location', { title: 'Pier', detail: 'Quay street 4' }),
  ]
  assert.deepEqual(linesOf({ number: 1, publishedAt: 0, text: 'Come along', media }), [
    'Come along',
    'Tides',
    'Row before the water turns',
    'Lantern',
    'Hand-blown, 12 €',
    'Foghorn',
    'Harbour Trio',
    'tables.pdf',
    'Pier',
    'Quay street 4',
  ])
})

test('a contact is searchable by name, not by telephone number', () => {
  const media = [makeMedia('contact', { title: 'Ada', detail: '+1 555 0100' })]
  assert.deepEqual(linesOf({ number: 1, publishedAt: 0, media }), ['Ada'])
})
