import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HasValue } from '../../model/query.ts'
import type { Derived } from '../archive.ts'
import { termHashes } from '../terms.ts'
import {
  DAY,
  HOUR,
  NOON,
  addChannel,
  count,
  drained,
  forwarded,
  hashtagged,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
  walk,
  wordsOf,
  type OpenStore,
} from './samples.ts'

/** What is derived from posts: words, languages, statistics. */
export function describeDerived(open: OpenStore): void {
  const derive = (
    channelId: number,
    number: number,
    language: string,
    fields: Partial<Derived> = {},
  ): Derived => ({
    channelId,
    number,
    revision: 1,
    language,
    languageWeight: 1,
    detectedLanguage: language,
    terms: [],
    has: [],
    ...fields,
  })

  describe('derived data', () => {
    test('words are found within their channel, over all time, in both orders', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'words')
      const { id: other } = await addChannel(store, 'other_words')
      const texts = ['snow in march', 'snow "quoted" #march c++', 'снег 👍🏽 a.b', 'snow at last']
      const posts = texts.map((text, i) => samplePost(i + 1, { text }))
      for (const channel of [id, other]) {
        await store.archive.record(sampleReading(channel, { posts }))
      }
      const terms = (number: number) => termHashes(texts[number - 1]!.split(' '))
      await store.archive.saveDerived(
        [1, 2, 3].map((n) => derive(id, n, 'en', { terms: terms(n) })),
      )
      const find = (...places: string[][]) =>
        walk(store, listOf(id, { words: wordsOf(...places), limit: 1 }))
      assert.deepEqual(await find(['snow']), [4, 2, 1], 'the last was not analysed yet')
      assert.deepEqual(await find(['snow'], ['march']), [1])
      assert.deepEqual(await find(['march', '#march']), [2, 1])
      assert.deepEqual(await find(['"quoted"'], ['c++']), [2])
      assert.deepEqual(await find(['снег'], ['👍🏽'], ['a.b']), [3])
      assert.deepEqual(await find(['two words']), [])
      assert.deepEqual(await find(['snow'], []), [], 'a word with no form matches nothing')
      const oldest = listOf(id, { words: wordsOf(['snow']), order: 'oldest', limit: 1 })
      assert.deepEqual(await walk(store, oldest), [1, 2, 4])
      await store.archive.saveDerived([derive(id, 1, 'en', { terms: termHashes(['rain']) })])
      assert.deepEqual(await find(['snow']), [4, 2], 'found by its hashes')
      await store.archive.saveDerived([derive(id, 3, 'en', { terms: termHashes(['snow']) })])
      assert.deepEqual(await find(['snow']), [4, 2], 'shown by its text: hashes may collide')
      await store.archive.record(sampleReading(id, { at: NOON + 1, deleted: [2] }))
      assert.deepEqual(await find(['snow']), [4])
      const edited = [samplePost(1, { text: 'hail in march' })]
      await store.archive.record(sampleReading(id, { at: NOON + 1, posts: edited }))
      assert.deepEqual(await find(['hail']), [1], 'as it reads now was not analysed yet')
    })

    test('data derived from an earlier revision is ignored', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'revisions')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      await store.archive.record(
        sampleReading(id, { at: NOON + 1, posts: [samplePost(1, { text: 'edited' })] }),
      )
      await store.archive.saveDerived([derive(id, 1, 'en', { terms: termHashes(['old']) })])
      assert.equal((await store.archive.post(id, 1))?.language, null)
      await store.archive.saveDerived([
        derive(id, 1, 'en', { revision: 2, terms: termHashes(['new']) }),
      ])
      assert.equal((await store.archive.post(id, 1))?.language, 'en')
    })

    test('a channel has the language with the most weight, and is marked as changed when that changes', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'speaks')
      const posts = [1, 2, 3].map((n) => samplePost(n))
      await store.archive.record(sampleReading(id, { posts }))
      await drained(store)
      await store.archive.saveDerived([
        derive(id, 1, 'en', { languageWeight: 5 }),
        derive(id, 2, 'ru', { languageWeight: 1 }),
        derive(id, 3, 'ru', { languageWeight: 1 }),
      ])
      const channel = await store.archive.channel('speaks')
      assert.equal(channel?.language, 'en')
      assert.deepEqual(channel?.languages, [
        { code: 'ru', share: 2 / 3 },
        { code: 'en', share: 1 / 3 },
      ])
      assert.deepEqual(await drained(store), [`language ${id}`])
      await store.archive.saveDerived([derive(id, 2, 'ru', { languageWeight: 9 })])
      assert.deepEqual(await drained(store), [`language ${id}`])
      assert.equal((await store.archive.channel('speaks'))?.language, 'ru')
      assert.deepEqual(await store.archive.languages(NOON), [
        { code: 'ru', channels: 1, posts30d: 2 },
        { code: 'en', channels: 0, posts30d: 1 },
      ])
      const later = await store.archive.languages(NOON + 40 * DAY)
      assert.deepEqual(
        later.map((l) => [l.code, l.posts30d]),
        [
          ['ru', 0],
          ['en', 0],
        ],
      )
    })

    test('a bilingual channel does not change its language with every post', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'bilingual')
      const posts = [1, 2, 3, 4, 5, 6].map((n) => samplePost(n))
      await store.archive.record(sampleReading(id, { posts }))
      await drained(store)
      const weights = [
        ['ru', 10],
        ['en', 12],
        ['ru', 3],
        ['en', 4],
        ['en', 1],
        ['ru', 7],
      ] as const
      const said: (string | null | undefined)[] = []
      for (const [i, [language, languageWeight]] of weights.entries()) {
        await store.archive.saveDerived([derive(id, i + 1, language, { languageWeight })])
        said.push((await store.archive.channel('bilingual'))?.language)
      }
      assert.deepEqual(said, ['ru', 'ru', 'ru', 'ru', 'en', 'en'], 'it takes a quarter more')
    })

    test('statistics follow posts, edits and deletions', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'stats')
      const posts = [
        hashtagged(1, 'Ёлка'),
        hashtagged(2, 'елка'),
        { ...forwarded(3, 'Source'), publishedAt: NOON - 2 * DAY },
        samplePost(4, { publishedAt: NOON - 40 * DAY, views: count(7) }),
        samplePost(5, { kind: 'service' }),
        samplePost(6, {
          text: 'see it',
          entities: [
            { type: 'text_link', offset: 0, length: 3, url: 'https://www.news.example/a' },
            { type: 'mention', offset: 4, length: 2, url: 'https://t.me/Friend' },
          ],
        }),
      ]
      await store.archive.record(sampleReading(id, { posts }))
      const stats = await store.archive.stats(id, NOON)
      assert.deepEqual([stats.posts, stats.posts30d, stats.medianViews], [5, 4, 20])
      assert.equal(stats.postsPerDay, 4 / 30)
      assert.deepEqual([stats.daily.at(-1), stats.daily.at(-2), stats.daily.at(-3)], [0, 3, 1])
      assert.deepEqual(stats.hours[12], 4)
      assert.deepEqual(stats.topHashtags, [{ value: 'елка', count: 2 }])
      assert.deepEqual(stats.topDomains, [{ value: 'news.example', count: 1 }])
      assert.deepEqual(stats.forwardsFrom, [{ value: 'source', count: 1 }])
      assert.equal(stats.firstPostAt, NOON - 40 * DAY)
      await store.archive.record(
        sampleReading(id, { at: NOON + HOUR, posts: [samplePost(1)], deleted: [4, 3] }),
      )
      const after = await store.archive.stats(id, NOON)
      assert.deepEqual(after.topHashtags, [{ value: 'елка', count: 1 }])
      assert.deepEqual([after.posts, after.forwardsFrom], [3, []])
      assert.equal(after.firstPostAt, posts[0]?.publishedAt)
    })

    test('what a post has is replaced by what was derived, and nothing else of it', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'flagged')
      const posts = [hashtagged(1, 'tag'), { ...forwarded(2, 'source'), edited: true }]
      await store.archive.record(sampleReading(id, { posts }))
      const find = (has: HasValue[]) => walk(store, listOf(id, { has }))
      assert.deepEqual([await find(['link']), await find(['media'])], [[], []])
      await store.archive.saveDerived([
        derive(id, 1, 'en', { has: ['link'] }),
        derive(id, 2, 'en', { has: ['link', 'media'] }),
      ])
      assert.deepEqual([await find(['link']), await find(['media'])], [[2, 1], [2]])
      await store.archive.saveDerived([derive(id, 2, 'en', { has: ['media'] })])
      assert.deepEqual([await find(['link']), await find(['media'])], [[1], [2]])
      const kept = await store.archive.post(id, 2)
      assert.deepEqual([kept?.edited, kept?.forwardedFrom?.username], [true, 'source'])
      assert.deepEqual(await walk(store, listOf(id, { forwards: 'only' })), [2])
    })

    test('the features of a channel are replaced, if as many posts were counted as it has', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'renewed')
      const posts = [hashtagged(1, 'old'), hashtagged(2, 'old'), hashtagged(3, 'kept')]
      posts.push(samplePost(4, { kind: 'service' }))
      await store.archive.record(sampleReading(id, { posts }))
      const features = [
        { kind: 'hashtag', value: 'new', posts: 2 },
        { kind: 'hashtag', value: 'kept', posts: 1 },
      ] as const
      const tags = async () =>
        (await store.archive.stats(id, NOON)).topHashtags.map(
          ({ value, count: n }) => `${value} ${n}`,
        )
      for (const counted of [2, 4]) {
        assert.equal(await store.archive.renewChannel(id, { posts: counted, features }), false)
        assert.deepEqual(await tags(), ['old 2', 'kept 1'])
      }
      for (let round = 0; round < 2; round++) {
        assert.equal(await store.archive.renewChannel(id, { posts: 3, features }), true)
        assert.deepEqual(await tags(), ['new 2', 'kept 1'])
      }
      await store.removals.removeChannel('renewed', 'asked', NOON)
      assert.equal(await store.archive.renewChannel(id, { posts: 3, features }), true)
      assert.deepEqual(await tags(), [], 'nothing of a removed channel comes back')
      assert.deepEqual(await store.verify(), [])
    })

    test('statistics name the channels that forward a channel and those similar to it', async () => {
      const { store } = await open()
      const ids: Record<string, number> = {}
      for (const [i, name] of ['origin', 'fan_a', 'fan_b', 'stranger'].entries()) {
        ids[name] = (await addChannel(store, name)).id
        const profile = sampleProfile(name, { platformId: i + 1 })
        await store.archive.record(sampleReading(ids[name], { profile }))
      }
      const both = [forwarded(1, 'Origin'), forwarded(2, 'origin'), forwarded(3, 'elsewhere')]
      await store.archive.record(sampleReading(ids['fan_a']!, { posts: both }))
      await store.archive.record(sampleReading(ids['fan_b']!, { posts: both.slice(0, 1) }))
      const stats = await store.archive.stats(ids['origin']!, NOON)
      assert.deepEqual(stats.forwardedBy, [
        { value: 'fan_a', count: 2 },
        { value: 'fan_b', count: 1 },
      ])
      assert.deepEqual((await store.archive.stats(ids['fan_a']!, NOON)).similar, ['fan_b'])
      assert.deepEqual((await store.archive.stats(ids['stranger']!, NOON)).similar, [])
    })

    test('totals count posts that are neither deleted nor service messages', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'totals')
      assert.deepEqual((await store.archive.totals()).oldestPostAt, null)
      const posts = [samplePost(1), samplePost(2), samplePost(3, { kind: 'service' })]
      await store.archive.record(sampleReading(id, { posts }))
      await store.archive.record(sampleReading(id, { at: NOON + 1, deleted: [1] }))
      const totals = await store.archive.totals()
      assert.deepEqual([totals.channels, totals.posts], [1, 1])
      assert.deepEqual(
        [totals.oldestPostAt, totals.newestPostAt],
        [posts[1]?.publishedAt, posts[1]?.publishedAt],
      )
    })
  })
}
