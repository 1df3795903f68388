import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMedia, makePost } from '../model/post.ts'
import { postFeatures } from './post-features.ts'

const EMPTY = makePost({ number: 1, publishedAt: 0 })

test('a post without anything has nothing', () => {
  assert.deepEqual(postFeatures(EMPTY), {
    hashtags: [],
    cashtags: [],
    mentions: [],
    links: [],
    domains: [],
    has: [],
  })
})

test('features come from entities, text, preview and buttons, each once', () => {
  const text = '#Ёлка #елка@channel @Durov $BTC here'
  const features = postFeatures({
    ...EMPTY,
    text,
    entities: [
      { type: 'hashtag', offset: 0, length: 5 },
      { type: 'hashtag', offset: 6, length: 13 },
      { type: 'mention', offset: 20, length: 6, url: 'https://t.me/Durov' },
      { type: 'cashtag', offset: 27, length: 4 },
      { type: 'text_link', offset: 32, length: 4, url: 'https://www.news.example.com/a' },
      { type: 'text_link', offset: 32, length: 4, url: 'tg://resolve?domain=x' },
    ],
    linkPreview: {
      url: 'https://www.news.example.com/a',
      siteName: null,
      title: null,
      description: null,
      imageUrl: null,
    },
    buttons: [
      [{ text: 'Open', url: 'https://t.me/other_channel/5' }],
      [{ text: 'Press', url: null }],
    ],
  })
  assert.deepEqual(features, {
    hashtags: [{ tag: 'елка', display: 'Ёлка' }],
    cashtags: ['btc'],
    mentions: ['durov', 'other_channel'],
    links: ['https://www.news.example.com/a', 'https://t.me/other_channel/5'],
    domains: ['news.example.com', 't.me'],
    has: ['link'],
  })
})

test('an imported post without entities is read from its text', () => {
  const features = postFeatures({ ...EMPTY, text: '#Tag https://example.com/x t.me/durov' })
  assert.deepEqual(features.hashtags, [{ tag: 'tag', display: 'Tag' }])
  assert.deepEqual(features.links, ['https://example.com/x', 'https://t.me/durov'])
  assert.deepEqual(features.mentions, ['durov'])
})

test('media kinds count as themselves and as media, in a fixed order', () => {
  const poll = { question: '?', type: 'Anonymous Poll', options: [], voters: null }
  const features = postFeatures({ ...EMPTY, media: [makeMedia('video'), makeMedia('photo')], poll })
  assert.deepEqual(features.has, ['photo', 'video', 'poll', 'media'])
  assert.deepEqual(postFeatures({ ...EMPTY, media: [makeMedia('contact')] }).has, ['media'])
})
