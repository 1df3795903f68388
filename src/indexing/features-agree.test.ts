import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { openTemporary } from '../../test/open-temporary.ts'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { MEDIA_KINDS, makeMedia, type Entity, type Post } from '../model/post.ts'
import { HAS_VALUES } from '../model/query.ts'
import { NO_FILTERS, plainSearch } from '../search/contract/sample.ts'
import { createStillClock } from '../simulator/clocks.ts'
import {
  NOON,
  addChannel,
  listOf,
  samplePost,
  sampleReading,
  walk,
} from '../store/contract/samples.ts'
import type { Store } from '../store/store.ts'

/** A channel's list and its statistics must agree with the filters and the facets of search. */

const clock = createStillClock(NOON)

const MARKS: Readonly<Record<string, Omit<Entity, 'offset' | 'length'>>> = {
  '#Ёлка': { type: 'hashtag' },
  '#Straße@durov': { type: 'hashtag' },
  '@Durov': { type: 'mention', url: 'https://t.me/Durov' },
  'https://www.Example.com/a': { type: 'link', url: 'https://www.Example.com/a' },
  here: { type: 'text_link', url: 'https://news.example.com:8080/?b' },
  write: { type: 'text_link', url: 'mailto:ada@example.com' },
  talk: { type: 'text_link', url: 'https://t.me/other_channel/5' },
}
const PLAIN = ['#елка', '＃Tag', '@someone', 'other.org/list', '$BTC', 'snow', '.', '#12']
const url = fc.constantFrom('https://button.example/', 'tg://resolve?domain=x', null)

const post: fc.Arbitrary<Omit<Post, 'number'>> = fc
  .record({
    words: fc.array(
      fc.record({
        word: fc.constantFrom(...Object.keys(MARKS), ...PLAIN),
        isMarked: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    media: fc.array(fc.constantFrom(...MEDIA_KINDS), { maxLength: 2 }),
    title: fc.option(fc.constantFrom('#poster', 'map.example.net', 'Pier')),
    button: fc.option(url),
    preview: fc.option(fc.constantFrom('https://preview.example/x', '//odd')),
    poll: fc.option(fc.constantFrom('Which #way?', 'Yes?')),
  })
  .map(({ words, media, title, button, preview, poll }) => {
    const entities: Entity[] = []
    let text = ''
    for (const { word, isMarked } of words) {
      const mark = isMarked ? MARKS[word] : undefined
      if (mark) entities.push({ ...mark, offset: text.length, length: word.length })
      text += `${word} `
    }
    return samplePost(1, {
      text,
      entities,
      media: media.map((kind) => makeMedia(kind, { title })),
      buttons: button === null ? [] : [[{ text: 'Open', url: button }]],
      linkPreview:
        preview === null
          ? null
          : { url: preview, siteName: null, title: null, description: null, imageUrl: null },
      poll: poll === null ? null : { question: poll, type: '', options: [], voters: null },
    })
  })

async function agree(store: Store, posts: readonly Post[]): Promise<void> {
  await using plain = await openPlainIndex(clock)
  const { id } = await addChannel(store, 'agrees')
  await store.archive.record(sampleReading(id, { posts }))
  await createPlainIndexer({ store, writer: plain.writer, clock }).drain()
  for (const value of HAS_VALUES) {
    const filters = { ...NO_FILTERS, has: [value] }
    const { hits } = await plain.index.search(plainSearch(NOON, { filters, limit: 50 }))
    const listed = await walk(store, listOf(id, { has: [value] }))
    assert.deepEqual(new Set(hits.map((hit) => hit.number)), new Set(listed), value)
  }
  const { facets } = await plain.index.search(
    plainSearch(NOON, { facets: ['hashtag', 'domain'], limit: 50 }),
  )
  const { topHashtags, topDomains } = await store.archive.stats(id, NOON)
  const hosts = facets!.domain!.filter(({ value }) => value !== 't.me')
  assert.deepEqual(countsOf(topHashtags), countsOf(facets!.hashtag!))
  assert.deepEqual(countsOf(topDomains), countsOf(hosts))
}

function countsOf(values: readonly { readonly value: string; readonly count: number }[]) {
  return Object.fromEntries(
    values
      .map(({ value, count }) => [value, count] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

test('lists and statistics agree with search for random posts', () =>
  fc.assert(
    fc.asyncProperty(fc.array(post, { minLength: 1, maxLength: 12 }), async (drafts) => {
      await using store = await openTemporary(clock)
      await agree(
        store,
        drafts.map((draft, i) => ({ ...draft, number: i + 1 })),
      )
    }),
    { numRuns: 12 },
  ))
