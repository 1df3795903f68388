import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeMedia } from '../../src/model/post.ts'
import { makePost, startService, type Service } from './harness.ts'

/** Hits say why they were found. */
describe('hits', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  const search = async (query: string) => (await service.get(`/v1/search?${query}`)).json

  test('a hit shows the links, hashtags and mentions of its text, even where the platform marked none', async () => {
    const text = 'Unmarked: #zugzwang by @lichess_org at https://lichess.org/study'
    await service.publish({ username: 'unmarked_here' }, [
      makePost({ number: 1, publishedAt: service.clock.now() - 1000, text }),
    ])
    for (const filter of [
      'hashtag=zugzwang',
      'mention=lichess_org',
      'domain=lichess.org',
      'url=https://lichess.org/study',
    ]) {
      const [hit] = (await search(filter)).data
      assert.deepEqual(
        [hit?.hashtags, hit?.mentions, hit?.links],
        [['zugzwang'], ['lichess_org'], ['https://lichess.org/study']],
        filter,
      )
    }
  })

  test('a snippet masks a spoiler, except the words searched for; the whole post has it', async () => {
    const text = 'The endgame of the year was won by the black knight'
    const entities = [{ type: 'spoiler' as const, offset: text.indexOf('black'), length: 12 }]
    const publishedAt = service.clock.now() - 1000
    await service.publish({ username: 'spoiled_here' }, [
      makePost({ number: 1, publishedAt, text, entities }),
    ])
    const masked = text.replace('black knight', '█████ ██████')
    const snippetOf = async (query: string) => (await search(query)).data[0]?.snippet
    assert.equal(await snippetOf('q=endgame+year'), masked)
    assert.equal(await snippetOf('q=knight+year'), masked.replace('██████', 'knight'))
    const listed = await service.get('/v1/channels/spoiled_here/posts')
    assert.equal(listed.json.data[0].snippet, masked)
    assert.equal((await search('q=endgame+year&detail=full')).data[0]?.text, text)
  })

  describe('hits of posts without text', () => {
    const poll = {
      question: 'Favourite gambit?',
      type: 'Anonymous Poll',
      options: [{ text: 'Benko', percent: 100 }],
      voters: null,
    }
    const preview = { siteName: null, description: null, imageUrl: null }
    before(async () => {
      const publishedAt = service.clock.now() - 1000
      await service.publish({ username: 'wordless_here' }, [
        makePost({ number: 1, publishedAt, text: '', poll }),
        makePost({
          number: 2,
          publishedAt,
          text: '',
          media: [makeMedia('document', { fileName: 'Study of endgames.pdf' })],
        }),
        makePost({
          number: 3,
          publishedAt,
          text: '',
          linkPreview: { ...preview, url: 'https://example.com/p', title: 'A page' },
        }),
        makePost({
          number: 4,
          publishedAt,
          text: 'Opening theory',
          poll: { ...poll, options: [{ text: 'Evans', percent: 100 }] },
        }),
      ])
    })

    for (const [query, slug, shown, kinds] of [
      ['benko', '1', 'Favourite gambit?\n[Benko]', ['poll']],
      ['endgames', '2', 'Study of [endgames].pdf', ['document']],
      ['domain:example.com', '3', 'A page', []],
      ['evans', '4', 'Opening theory\nFavourite gambit?\n[Evans]', ['poll']],
    ] as const) {
      test(`${query} shows and highlights the part of the post that matched`, async () => {
        const q = encodeURIComponent(`from:wordless_here ${query}`)
        const [hit] = (await search(`q=${q}`)).data
        const marked = (hit.highlights as { start: number; end: number }[]).reduceRight(
          (text, { start, end }) =>
            `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
          hit.snippet as string,
        )
        assert.deepEqual([hit.slug, marked, hit.media.kinds], [slug, shown, kinds])
      })
    }

    for (const detail of ['brief', 'full']) {
      test(`feeds and tables of ${detail} posts show poll, file name and link preview instead`, async () => {
        const path = `/v1/channels/wordless_here/posts?detail=${detail}`
        for (const format of ['csv', 'rss', 'jsonfeed', 'md']) {
          const { text } = await service.get(`${path}&format=${format}`)
          for (const part of ['Favourite gambit', 'Study of endgames', 'A page']) {
            assert.ok(text.includes(part), `${format}: ${part}`)
          }
        }
      })
    }
  })
})
