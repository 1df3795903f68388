import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { makeMedia } from '../model/post.ts'
import { makePost } from '../store/contract/make-post.ts'
import { analyze } from './analyze.ts'
import { plainEntities } from './plain-entities.ts'
import { HAS_VALUES } from '../model/query.ts'
import { postFeatures, postHas } from './post-features.ts'

const EMPTY = makePost({ number: 1, publishedAt: 0 })

test('an empty post has no features', () => {
  assert.deepEqual(postFeatures(EMPTY), {
    hashtags: [],
    mentions: [],
    links: [],
    domains: [],
  })
  assert.deepEqual(postHas(EMPTY), [])
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
    mentions: ['durov', 'other_channel'],
    links: ['https://www.news.example.com/a', 'https://t.me/other_channel/5'],
    domains: ['news.example.com', 't.me'],
  })
})

test('features of an imported post without entities come from its text', () => {
  const features = postFeatures({ ...EMPTY, text: '#Tag https://example.com/x t.me/durov' })
  assert.deepEqual(features.hashtags, [{ tag: 'tag', display: 'Tag' }])
  assert.deepEqual(features.links, ['https://example.com/x', 'https://t.me/durov'])
  assert.deepEqual(features.mentions, ['durov'])
})

test('each media kind counts as itself and as media, in a fixed order', () => {
  const poll = { question: '?', type: 'Anonymous Poll', options: [], voters: null }
  const media = [makeMedia('video'), makeMedia('photo')]
  assert.deepEqual(postHas({ ...EMPTY, media, poll }), ['photo', 'video', 'poll', 'media'])
  assert.deepEqual(postHas({ ...EMPTY, media: [makeMedia('contact')] }), ['media'])
})

test('unmarked tags and links are found too, also in polls and file names', () => {
  const features = postFeatures({
    ...EMPTY,
    text: '#marked and #unmarked',
    entities: [{ type: 'hashtag', offset: 0, length: 7 }],
    poll: { question: 'Vote #poll', type: '', options: [], voters: null },
    media: [makeMedia('document', { fileName: 'from example.com/list' })],
  })
  assert.deepEqual(
    features.hashtags.map(({ tag }) => tag),
    ['marked', 'unmarked', 'poll'],
  )
  assert.deepEqual(features.links, ['https://example.com/list'])
})

test('text directly after an entity does not start a mention', () => {
  const { mentions } = postFeatures({
    ...EMPTY,
    text: '#tag@channel',
    entities: [{ type: 'hashtag', offset: 0, length: 4 }],
  })
  assert.deepEqual(mentions, [])
})

test('the fast path finds every tag and mention that the analyzer finds', () => {
  const piece = fc.constantFrom(
    '#tag',
    '＃тег',
    '@durov',
    't.me/durov',
    'x',
    '.',
    ' ',
    '@',
    '1',
    'a.com',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' }))), (pieces) => {
      const text = pieces.join('')
      const terms = analyze(text, null).entities.map(({ term }) => term)
      const { hashtags, mentions } = postFeatures({ ...EMPTY, text })
      const found = [...hashtags.map(({ tag }) => `#${tag}`), ...mentions.map((name) => `@${name}`)]
      assert.deepEqual(new Set(found), new Set(terms.filter((term) => /^[#@]/.test(term))))
    }),
  )
})

test('an address in an import is one link, including its brackets', () => {
  for (const [text, link] of [
    [
      'see https://en.wikipedia.org/wiki/Mercury_(planet).',
      'https://en.wikipedia.org/wiki/Mercury_(planet)',
    ],
    ['(www.test.org/p)', 'http://www.test.org/p'],
  ] as const) {
    assert.deepEqual(postFeatures({ ...EMPTY, text, entities: plainEntities(text) }).links, [link])
  }
})

test('postHas names each kind of media, the poll and the links', () => {
  const poll = { question: 'Who?', type: '', options: [], voters: null }
  for (const value of HAS_VALUES.filter((each) => each !== 'media')) {
    const post =
      value === 'poll'
        ? { ...EMPTY, poll }
        : value === 'link'
          ? { ...EMPTY, text: 'https://example.org/a' }
          : { ...EMPTY, media: [makeMedia(value)] }
    const isMedia = value !== 'poll' && value !== 'link'
    assert.deepEqual(postHas(post), isMedia ? [value, 'media'] : [value])
  }
})

test('a post has a link if and only if its features contain one', () => {
  const url = fc.constantFrom(
    'https://example.org/a',
    'HTTP://EXAMPLE.ORG',
    'tg://resolve?domain=x',
    '',
  )
  const piece = fc.constantFrom('#tag', '@durov', 't.me/durov', 'a.com', 'word', '.', ' ')
  const entity = fc.record({
    type: fc.constantFrom('link', 'text_link', 'mention', 'hashtag', 'bold'),
    offset: fc.nat(8),
    length: fc.nat(8),
    url: fc.option(url, { nil: undefined }),
  })
  const drawn = fc.record({
    text: fc.array(piece).map((pieces) => pieces.join('')),
    entities: fc.array(entity, { maxLength: 3 }),
    preview: fc.option(url),
    button: fc.option(url),
  })
  fc.assert(
    fc.property(drawn, ({ text, entities, preview, button }) => {
      const none = { siteName: null, title: null, description: null, imageUrl: null }
      const post = makePost({
        number: 1,
        publishedAt: 0,
        text,
        entities: entities.map(({ url: to, ...rest }) =>
          to === undefined ? rest : { ...rest, url: to },
        ),
        linkPreview: preview === null ? null : { url: preview, ...none },
        buttons: [[{ text: 'Open', url: button }]],
      })
      assert.equal(postHas(post).includes('link'), postFeatures(post).links.length > 0)
    }),
  )
})
