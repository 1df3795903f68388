import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_POST_NUMBER } from '../../model/post.ts'
import { NOTHING_WRITTEN } from '../archive.ts'
import {
  NOON,
  addChannel,
  count,
  drained,
  listOf,
  sampleMedia,
  samplePost,
  sampleProfile,
  sampleReading,
  walk,
  type OpenStore,
} from './samples.ts'

/** Writing, reading and editing posts. */
export function describeArchive(open: OpenStore): void {
  describe('archive', () => {
    test('a number out of range matches no post, not even one of the next channel', async () => {
      const { store } = await open()
      const { archive } = store
      const one = await addChannel(store, 'neighbour_one')
      const two = await addChannel(store, 'neighbour_two')
      const posts = [samplePost(5), samplePost(8, { albumNumbers: [8, 9, MAX_POST_NUMBER + 3] })]
      for (const { id } of [one, two]) await archive.record(sampleReading(id, { posts }))
      const beyond = [5, 9].map((number) => MAX_POST_NUMBER + 1 + number)
      const before = [5, 9].map((number) => number - MAX_POST_NUMBER - 1)
      for (const [id, numbers] of [
        [one.id, beyond],
        [two.id, before],
      ] as const) {
        for (const number of numbers) {
          const ref = { channelId: id, number }
          assert.equal(await archive.post(id, number), undefined)
          assert.deepEqual(await archive.posts([ref]), [undefined])
          assert.deepEqual(await archive.versions(ref), [])
          assert.deepEqual(
            (await archive.record(sampleReading(id, { deleted: [number] }))).deleted,
            [],
          )
        }
      }
      assert.deepEqual(await archive.numbersBetween(one.id, -9, 2 ** 31), [5, 8, 9])
      assert.deepEqual(await archive.numbersBetween(one.id, beyond[0]!, 2 ** 31), [])
      assert.deepEqual(await walk(store, listOf(one.id, { after: beyond[1]! })), [8, 5])
      assert.deepEqual(
        await walk(store, listOf(one.id, { order: 'oldest', after: beyond[0]! })),
        [],
      )
      for (const number of beyond) {
        const removed = await store.removals.removePost('neighbour_one', number, 'asked', NOON)
        assert.deepEqual(removed, { posts: 0 })
      }
      assert.deepEqual(await archive.numbersBetween(two.id, 1, 99), [5, 8, 9])
    })

    test('a post is read back with every field as it was recorded', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'fields')
      const full = samplePost(7, {
        edited: true,
        text: 'Слово \u0001 and #tag 👍🏽 ‏عربي',
        entities: [
          { type: 'bold', offset: 0, length: 5 },
          { type: 'text_link', offset: 6, length: 3, url: 'https://a.example/?q=1' },
          { type: 'quote', offset: 0, length: 9, collapsed: true },
        ],
        media: [
          sampleMedia({ size: { value: 1_500_000, approx: true, raw: '1.5 MB', asOf: NOON } }),
          sampleMedia({ kind: 'location', latitude: -33.5, longitude: 151.25, url: null }),
          sampleMedia({ kind: 'video', round: true, tooBig: true, number: 8 }),
        ],
        poll: {
          question: 'Why?',
          type: 'Anonymous Poll',
          options: [
            { text: 'because', percent: 75 },
            { text: 'so', percent: null },
          ],
          voters: { value: 1200, approx: true, raw: '1.2K', asOf: NOON },
        },
        linkPreview: {
          url: 'https://a.example',
          siteName: 'A',
          title: null,
          description: 'd',
          imageUrl: null,
        },
        buttons: [[{ text: 'go', url: null }], [{ text: 'see', url: 'https://b.example' }]],
        author: 'A. Uthor',
        viaBot: 'gif',
        forwardedFrom: {
          name: 'Src',
          username: 'src_ch',
          postUrl: 'https://t.me/src_ch/1',
          author: 'x',
        },
        replyTo: { url: 'https://t.me/fields/3', author: 'Me', text: 'earlier' },
        albumNumbers: [7, 8],
        views: { value: 1200, approx: true, raw: '1.2K', asOf: NOON },
        reactions: [
          { emoji: '❤', customId: null, paid: false, count: count(3) },
          { emoji: null, customId: '5368324170671202286', paid: false, count: count(2) },
          { emoji: null, customId: null, paid: true, count: count(1) },
        ],
        orphan: true,
      })
      const result = await store.archive.record(
        sampleReading(id, { posts: [full], parserVersion: 4 }),
      )
      assert.deepEqual(result, { ...NOTHING_WRITTEN, added: [7] })
      const kept = await store.archive.post(id, 7)
      assert.ok(kept)
      const { channelId, revision, contentSha256, language, deletedAt, ...rest } = kept
      const { firstCapturedAt, lastCapturedAt, capture, parserVersion, ...post } = rest
      assert.deepEqual(post, full)
      assert.match(contentSha256, /^[0-9a-f]{64}$/)
      assert.deepEqual(
        { channelId, revision, language, deletedAt, capture, parserVersion },
        {
          channelId: id,
          revision: 1,
          language: null,
          deletedAt: null,
          capture: 'crawl',
          parserVersion: 4,
        },
      )
      assert.deepEqual([firstCapturedAt, lastCapturedAt], [NOON, NOON])
      assert.deepEqual(
        (await store.archive.post(id, 8))?.number,
        7,
        'an album answers for its members',
      )
    })

    test('characters that databases cannot store are dropped, and everything else is kept', async () => {
      const { store } = await open()
      const { archive } = store
      const { id } = await addChannel(store, 'storable')
      const [nul, high, low] = ['\u0000', '\ud83d', '\udc4d']
      const entities = [
        { type: 'bold', offset: 2, length: 5 } as const,
        { type: 'italic', offset: 1, length: 1 } as const,
        { type: 'link', offset: 8, length: 5, url: `https://a.example/${nul}` } as const,
      ]
      const post = samplePost(1, {
        text: `a${nul}bo${high}ld \n${low}${high}${low}li`,
        entities,
        author: `A${low}${high}`,
        media: [sampleMedia({ title: `${high}t${nul}` })],
        poll: { question: nul, type: 'Poll', options: [{ text: low, percent: 1 }], voters: null },
      })
      const profile = sampleProfile('storable', { title: `T${nul}${high}`, description: `${low}d` })
      const reading = sampleReading(id, { posts: [post], profile })
      assert.deepEqual((await archive.record(reading)).added, [1])
      const kept = await archive.post(id, 1)
      assert.deepEqual(kept?.text, 'abold \n👍li')
      assert.deepEqual(kept?.entities, [
        { type: 'bold', offset: 1, length: 4 },
        { type: 'link', offset: 6, length: 4, url: 'https://a.example/' },
      ])
      assert.deepEqual([kept?.author, kept?.media[0]?.title], ['A', 't'])
      assert.deepEqual([kept?.poll?.question, kept?.poll?.options[0]?.text], ['', ''])
      const channel = await archive.channel('storable')
      assert.deepEqual([channel?.title, channel?.description], ['T', 'd'])
      await drained(store)
      assert.deepEqual(await archive.record(reading), NOTHING_WRITTEN)
      assert.deepEqual(await drained(store), [])
      await store.removals.removePost('storable', 9, `r${nul}${low}`, NOON)
      assert.equal((await store.removals.list())[0]?.reason, 'r')
    })

    test('repeating a reading changes nothing', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'again')
      const reading = sampleReading(id, {
        posts: [samplePost(1), samplePost(2)],
        profile: sampleProfile('again'),
      })
      await store.archive.record(reading)
      await drained(store)
      const before = [
        await store.archive.posts([{ channelId: id, number: 1 }]),
        await store.archive.channel('again'),
      ]
      const result = await store.archive.record(reading)
      assert.deepEqual(result, NOTHING_WRITTEN)
      assert.deepEqual(await drained(store), [])
      const after = [
        await store.archive.posts([{ channelId: id, number: 1 }]),
        await store.archive.channel('again'),
      ]
      assert.deepEqual(after, before)
    })

    test('an unchanged file size in a later reading is no change', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'files')
      const filed = (bytes: number, at: number) =>
        samplePost(1, { media: [sampleMedia({ kind: 'document', size: count(bytes, at) })] })
      await store.archive.record(sampleReading(id, { posts: [filed(70, NOON)] }))
      await drained(store)
      await store.archive.record(sampleReading(id, { at: NOON + 1, posts: [filed(70, NOON + 1)] }))
      assert.deepEqual(await drained(store), [])
      assert.deepEqual((await store.archive.post(id, 1))?.media[0]?.size, count(70, NOON))
      await store.archive.record(sampleReading(id, { at: NOON + 2, posts: [filed(80, NOON + 2)] }))
      assert.deepEqual(await drained(store), [`post ${id}/1`])
      assert.deepEqual((await store.archive.post(id, 1))?.media[0]?.size, count(80, NOON + 2))
    })

    test('an edit keeps the earlier version and marks the post as changed', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'edits')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1, { text: 'first' })] }))
      await drained(store)
      const edited = samplePost(1, { text: 'second', edited: true })
      const result = await store.archive.record(
        sampleReading(id, { at: NOON + 5, posts: [edited] }),
      )
      assert.deepEqual(result.changed, [1])
      const ref = { channelId: id, number: 1 }
      const [post] = await store.archive.posts([ref])
      assert.deepEqual([post?.text, post?.revision, post?.firstCapturedAt], ['second', 2, NOON])
      const versions = await store.archive.versions(post!)
      assert.deepEqual(
        versions.map((v) => [v.capturedAt, v.text]),
        [[NOON, 'first']],
      )
      assert.deepEqual(await drained(store), [`post ${id}/1`])
      const again = { ...edited, text: 'third' }
      await store.archive.record(sampleReading(id, { at: NOON + 6, posts: [again] }))
      const texts = async (latest?: number) =>
        (await store.archive.versions(ref, latest)).map((version) => version.text)
      assert.deepEqual(await texts(), ['first', 'second'])
      assert.deepEqual(await texts(1), ['second'])
      assert.deepEqual(await texts(3), ['first', 'second'])
      const earlier = await store.archive.versions(post!, 3)
      assert.deepEqual(earlier, versions, 'the post was read before the last edit')
    })

    test('an earlier version has no text where only hashes are kept', async () => {
      const { store } = await open({ versions: 'hash' })
      const { id } = await addChannel(store, 'hashes')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1, { text: 'first' })] }))
      await store.archive.record(
        sampleReading(id, { at: NOON + 5, posts: [samplePost(1, { text: 'second' })] }),
      )
      const [version] = await store.archive.versions({ channelId: id, number: 1 })
      assert.equal(version?.text, null)
      assert.match(version?.sha256 ?? '', /^[0-9a-f]{64}$/)
    })

    test('counters change without a version, and the same value again is no change', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'counters')
      await store.archive.record(
        sampleReading(id, { posts: [samplePost(1, { views: count(10) })] }),
      )
      await drained(store)
      const again = samplePost(1, { views: count(10, NOON + 1) })
      await store.archive.record(sampleReading(id, { at: NOON + 1, posts: [again] }))
      assert.deepEqual(await drained(store), [])
      const more = samplePost(1, { views: count(11, NOON + 2) })
      await store.archive.record(sampleReading(id, { at: NOON + 2, posts: [more] }))
      assert.deepEqual(await drained(store), [`counters ${id}/1`])
      const post = await store.archive.post(id, 1)
      assert.deepEqual(
        [post?.views, post?.revision, post?.lastCapturedAt],
        [count(11, NOON + 2), 1, NOON + 2],
      )
      assert.deepEqual(await store.archive.versions({ channelId: id, number: 1 }), [])
    })

    test('a new address of the same media is stored and is no edit', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'media')
      await store.archive.record(
        sampleReading(id, { posts: [samplePost(1, { media: [sampleMedia()] })] }),
      )
      await drained(store)
      const rotated = samplePost(1, { media: [sampleMedia({ url: 'https://cdn.example/b.jpg' })] })
      const result = await store.archive.record(
        sampleReading(id, { at: NOON + 1, posts: [rotated] }),
      )
      assert.deepEqual(result.changed, [])
      const post = await store.archive.post(id, 1)
      assert.deepEqual([post?.media[0]?.url, post?.revision], ['https://cdn.example/b.jpg', 1])
      assert.deepEqual(await drained(store), [])
    })

    test('a reading that arrives late does not undo a later one', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'late')
      await store.archive.record(
        sampleReading(id, { at: NOON + 9, posts: [samplePost(1, { text: 'new' })] }),
      )
      const old = samplePost(1, { text: 'old', views: count(999, NOON - 9) })
      const result = await store.archive.record(sampleReading(id, { at: NOON, posts: [old] }))
      assert.deepEqual([result.changed, (await store.archive.post(id, 1))?.text], [[], 'new'])
      assert.equal((await store.archive.post(id, 1))?.views?.value, 10)
    })

    test('an import never overwrites a crawled text, and a crawl completes an import', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'imports')
      const crawled = sampleReading(id, { posts: [samplePost(1, { text: 'crawled' })] })
      await store.archive.record(crawled)
      const imported = { at: NOON + 1, capture: 'import' as const }
      const posts = [samplePost(1, { text: 'imported' }), samplePost(2, { text: 'same words' })]
      const result = await store.archive.record(sampleReading(id, { ...imported, posts }))
      assert.deepEqual([result.added, result.changed], [[2], []])
      assert.equal((await store.archive.post(id, 1))?.text, 'crawled')
      const entities = [{ type: 'bold', offset: 0, length: 4 } as const]
      const fuller = samplePost(2, { text: 'same words', entities })
      const read = await store.archive.record(sampleReading(id, { at: NOON + 2, posts: [fuller] }))
      const post = await store.archive.post(id, 2)
      assert.deepEqual([read.changed, post?.capture, post?.entities], [[], 'crawl', entities])
      assert.deepEqual(await store.archive.versions({ channelId: id, number: 2 }), [])
    })

    test('text that only the app showed, or that an older parser cut, is completed without an edit', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'completed')
      const hidden = samplePost(1, { text: '', orphan: true })
      const short = samplePost(2, { text: 'first caption' })
      const first = { posts: [hidden, short], parserVersion: 1 }
      await store.archive.record(sampleReading(id, first))
      const told = { ...hidden, text: 'its words' }
      const whole = { ...short, text: 'first caption\n\nsecond caption' }
      const second = { at: NOON + 1, posts: [told, whole], parserVersion: 2 }
      const read = await store.archive.record(sampleReading(id, second))
      assert.deepEqual(read.changed, [])
      // A page that hides the text again tells nothing about it.
      await store.archive.record(sampleReading(id, { ...second, at: NOON + 2, posts: [hidden] }))
      const kept = await store.archive.posts([1, 2].map((number) => ({ channelId: id, number })))
      assert.deepEqual(
        kept.map((post) => post?.text),
        ['its words', whole.text],
      )
      const edited = { ...whole, text: `${whole.text} and more`, edited: true }
      const third = { at: NOON + 3, posts: [edited], parserVersion: 3 }
      assert.deepEqual((await store.archive.record(sampleReading(id, third))).changed, [2])
    })

    test('content that a page does not show is kept, be it hidden there or not understood', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'unshown')
      const poll = { question: 'Tea?', type: 'Poll', options: [], voters: null }
      const photo = samplePost(1, { text: '', media: [sampleMedia()] })
      const pair = [sampleMedia({ number: 4 }), sampleMedia({ number: 5 })]
      const album = samplePost(4, { text: '', media: pair, albumNumbers: [4, 5] })
      const linkPreview = {
        url: 'https://example.org/',
        siteName: 'Example',
        title: 'Tea',
        description: null,
        imageUrl: null,
      }
      const shown = [
        photo,
        samplePost(2, { linkPreview }),
        samplePost(3, { text: '', poll }),
        album,
      ]
      await store.archive.record(sampleReading(id, { posts: shown }))
      const known = () =>
        store.archive.posts(shown.map(({ number }) => ({ channelId: id, number })))
      const first = await known()
      for (const orphan of [true, false]) {
        const none = { text: '', media: [], poll: null, linkPreview: null, albumNumbers: [] }
        const bare = shown.map((post) => ({ ...post, ...none, orphan }))
        const read = await store.archive.record(sampleReading(id, { at: NOON + 1, posts: bare }))
        assert.deepEqual(read.changed, [])
        const now = await known()
        assert.deepEqual(
          now.map((post) => ({ ...post, lastCapturedAt: NOON })),
          first,
        )
        assert.equal((await store.archive.post(id, 5))?.number, 4)
      }
    })

    test('a post with an invalid number is refused', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'numbers')
      const posts = [0, -1, 1.5, 2 ** 40].map((number) => samplePost(number))
      const result = await store.archive.record(sampleReading(id, { posts }))
      assert.deepEqual(result, { ...NOTHING_WRITTEN, refused: 4 })
    })
  })
}
