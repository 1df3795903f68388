import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeMedia } from '../../src/model/post.ts'
import { makePost, startService } from './harness.ts'
import type { Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** Markdown says all that JSON says of what a reader would ask about. */
describe('markdown', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
    const publishedAt = service.clock.now() - 1000
    const rich = makePost({
      number: 1,
      publishedAt,
      text: 'The first state',
      author: 'A. Author',
      views: { value: 1, approx: true, raw: '1\n\n# [K](https://e.org/)', asOf: publishedAt },
      media: [makeMedia('document', { fileName: 'games.pgn' })],
      linkPreview: {
        url: 'https://example.com/a b',
        siteName: null,
        title: 'A page',
        description: 'About\ngames',
        imageUrl: null,
      },
      buttons: [[{ text: 'Open', url: 'https://example.com/open' }]],
    })
    await service.publish({ username: 'rich_posts' }, [rich])
    service.pass(60_000)
    await service.publish({ username: 'rich_posts' }, [
      { ...rich, text: 'The second state', edited: true },
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [id, ...shown] of [
    ['ChessNews/posts/10', '14 reactions', '1.2K views'],
    ['ChessNews/posts/13', 'Reply to <https://t.me/ChessNews/10>: The champion opened'],
    [
      'ChessNews/posts/14',
      'media: poll',
      'Poll: Who wins the match? (321 voters)\n- White: 60 %\n- Black: 40 %',
    ],
    [
      'rich_posts/posts/1',
      'by A. Author · 1 # \\[K\\](https://e.org/) views',
      'The second state',
      'Document: games.pgn',
      'Preview: A page – About games – <https://example.com/a%20b>',
      'Button: Open <https://example.com/open>',
      '## Earlier version, captured 20',
      'The first state',
    ],
  ] as const) {
    test(`of ${id} leaves nothing out`, async () => {
      const { text } = await service.get(`/v1/channels/${id}?format=md`)
      for (const part of shown) assert.ok(text.includes(part), text)
    })
  }

  test('of a poll with a file keeps the file apart from the options', async () => {
    const poll = {
      question: 'Which move?',
      type: 'Anonymous Poll',
      options: [{ text: 'e4', percent: 100 }],
      voters: null,
    }
    const media = [makeMedia('document', { fileName: 'position.pgn' })]
    const publishedAt = service.clock.now() - 1000
    await service.publish({ username: 'poll_and_file' }, [
      makePost({ number: 1, publishedAt, text: '', poll, media }),
    ])
    const { text } = await service.get('/v1/channels/poll_and_file/posts/1?format=md')
    assert.ok(text.includes('\n- e4: 100 %\n\nDocument: position.pgn'), text)
  })

  test('of a search has a line per facet', async () => {
    const { text } = await service.get('/v1/search?channel=chessnews&facets=lang,has&format=md')
    assert.match(text, /^By lang: en 7\nBy has: link 1, media 1, photo 1, poll 1, video 1$/m)
    assert.doesNotMatch(text, /Searched/)
  })

  test('of a month by the hour stays short', async () => {
    const now = service.clock.now()
    const hourly = Array.from({ length: 300 }, (_, i) =>
      makePost({ number: i + 1, publishedAt: now - (i + 1) * 3_600_000 }),
    )
    await service.publish({ username: 'hourly_posts' }, hourly)
    const path = '/v1/search?channel=hourly_posts&facets=hour&detail=ids&limit=1&format=md'
    const { text } = await service.get(path)
    assert.match(text, /, and 252 more$/m)
  })

  test('of a search in vain says what was searched', async () => {
    const { text } = await service.get('/v1/search?q=nothinglikethis&format=md')
    assert.match(text, /^Searched \d+ posts of \d channels, the newest of 20.*Z\.$/m)
  })
})
