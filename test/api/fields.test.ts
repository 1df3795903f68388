import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contentSha256 } from '../../src/model/content-hash.ts'
import { makeMedia, type Media, type Post } from '../../src/model/post.ts'
import { viewTime } from '../../src/operations/views/common.ts'
import { count, makePost, startService, type Service } from './harness.ts'
import { DAY, fillWorld } from './world.ts'

const HOUR = 3_600_000

/** The schema says which fields a reply has, this says what is in them: what is compared is whole, not a sample. */
describe('the fields of replies', () => {
  let service: Service
  let now: number
  before(async () => {
    service = await startService()
    now = await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const exact = (value: number) => ({
    value,
    approx: false,
    raw: String(value),
    as_of: viewTime(now),
  })
  const rounded = (value: number, raw: string) => ({
    value,
    approx: true,
    raw,
    as_of: viewTime(now),
  })
  const chess = () => ({
    username: 'ChessNews',
    title: 'Chess news',
    language: 'en',
    subscribers: rounded(12_300, '12.3K'),
    verified: true,
  })

  test('a hit', async () => {
    const { json } = await service.get('/v1/search?q=queen&sort=oldest')
    const [hit, reply] = json.data
    const { first_captured_at, ...rest } = hit
    const capturedAt = Date.parse(first_captured_at)
    assert.ok(now <= capturedAt && capturedAt <= service.clock.now(), first_captured_at)
    assert.deepEqual(rest, {
      id: 'ChessNews/10',
      slug: '10',
      url: 'https://t.me/ChessNews/10',
      channel: chess(),
      published_at: viewTime(now - 5 * HOUR),
      edited: false,
      language: 'en',
      snippet: 'The champion opened with the queen #opening @durov https://example.com/games?id=1',
      highlights: [{ start: 29, end: 34 }],
      views: rounded(1200, '1.2K'),
      reactions: { total: 14, top: { emoji: '👍', count: exact(10) } },
      media: { kinds: [], count: 0 },
      links: ['https://example.com/games?id=1'],
      hashtags: ['opening'],
      mentions: ['durov'],
      forwarded_from: null,
      reply_to: null,
      score: 0,
      matched: 'all',
    })
    const answered = { url: 'https://t.me/ChessNews/10', author: 'Chess news' }
    assert.deepEqual(reply.reply_to, { ...answered, text: 'The champion opened' })
    const [forward] = (await service.get('/v1/search?forwards=only')).json.data
    assert.deepEqual(forward.forwarded_from, {
      name: 'Chess news',
      username: 'ChessNews',
      post_url: 'https://t.me/ChessNews/10',
      author: null,
    })
    const [album] = (await service.get('/v1/search?edited=only')).json.data
    assert.deepEqual(
      [album.edited, album.media],
      [true, { kinds: ['photo', 'video'], count: 2, duration_s: 12 }],
    )
    const [poll] = (await service.get('/v1/search?has=poll')).json.data
    assert.deepEqual(poll.media, { kinds: ['poll'], count: 1, voters: exact(321) })
    const [ranked] = (await service.get('/v1/search?q=queen')).json.data
    assert.ok(ranked.score > 0)
  })

  test('the meta of a search', async () => {
    const before = service.clock.now()
    const { json } = await service.get('/v1/search?q=game&limit=2')
    const { request_id, took_ms, next_cursor, window, coverage, ...rest } = json.meta
    assert.ok(request_id && next_cursor)
    assert.ok(took_ms >= 0)
    const [since, until] = [Date.parse(window.since), Date.parse(window.until)]
    for (const at of [since + 30 * DAY, until])
      assert.ok(before <= at && at <= service.clock.now(), JSON.stringify(window))
    assert.deepEqual(rest, {
      content_origin: 'third_party',
      query: {
        parsed: 'game',
        reading: 'operators',
        detected_languages: [],
        relaxed: false,
        let_go: [],
      },
      truncated: false,
      total: { value: 3, relation: 'eq' },
    })
    const { index_lag_s, ...covered } = coverage
    assert.ok(index_lag_s >= 0)
    assert.deepEqual(covered, {
      channels: 2,
      posts: 9,
      newest_post_at: viewTime(now - HOUR / 3),
      complete: true,
      reason: null,
      not_indexed: [],
    })
    const question = '/v1/search?q=what did the champion do with the queen'
    assert.deepEqual((await service.get(question)).json.meta.query.detected_languages, ['en'])
    const narrow = await service.get(
      `/v1/search?q=game&since=${viewTime(now - 2 * HOUR)}&until=${viewTime(now - HOUR / 2)}`,
    )
    assert.deepEqual(narrow.json.meta.window, {
      since: viewTime(now - 2 * HOUR),
      until: viewTime(now - HOUR / 2),
    })
    assert.deepEqual(narrow.json.meta.total, { value: 1, relation: 'eq' })
  })

  test('a post', async () => {
    const post = wholePost(now)
    const at = service.clock.now()
    await service.publish({ username: 'whole_posts', title: 'Whole', platformId: 2001 }, [post])
    const { json } = await service.get('/v1/channels/whole_posts/posts/40')
    const { first_captured_at, evidence, ...rest } = json.data
    const capturedAt = Date.parse(first_captured_at)
    assert.ok(at <= capturedAt && capturedAt <= service.clock.now(), first_captured_at)
    assert.deepEqual(evidence, {
      content_sha256: contentSha256(post),
      first_captured_at,
      last_captured_at: first_captured_at,
      capture: 'crawl',
      parser_version: evidence.parser_version,
    })
    assert.deepEqual(rest, {
      id: 'whole_posts/40',
      slug: '40',
      url: 'https://t.me/whole_posts/40',
      channel: {
        username: 'whole_posts',
        title: 'Whole',
        language: 'en',
        subscribers: null,
        verified: false,
      },
      published_at: viewTime(now - HOUR),
      edited: true,
      language: 'en',
      hidden_characters: true,
      views: rounded(5400, '5.4K'),
      links: ['https://a.example/one', 'https://b.example/two', 'https://c.example/'],
      hashtags: [],
      mentions: [],
      forwarded_from: {
        name: 'First desk',
        username: 'first_desk',
        post_url: 'https://t.me/first_desk/3',
        author: 'A. Ann',
      },
      reply_to: { url: 'https://t.me/whole_posts/39', author: 'Whole', text: 'The one before' },
      kind: 'post',
      text: 'Here 🔥 let x = 1',
      markdown: '[Here](https://a.example/one) 🔥 `let x = 1`',
      html:
        '<a href="https://a.example/one" rel="nofollow noopener noreferrer">Here</a> 🔥 ' +
        '<blockquote><pre><code class="language-ts">let x = 1</code></pre></blockquote>',
      entities: [
        { type: 'text_link', offset: 0, length: 4, url: 'https://a.example/one' },
        { type: 'custom_emoji', offset: 5, length: 2, custom_id: '77' },
        { type: 'pre', offset: 8, length: 9, language: 'ts' },
        { type: 'quote', offset: 8, length: 9, collapsed: true },
      ],
      media: [
        {
          kind: 'document',
          url: 'https://cdn.example/40',
          thumbnail_url: 'https://cdn.example/40s',
          width: 800,
          height: 600,
          duration_s: 7,
          file_name: 'Minutes.pdf',
          size: rounded(1_500_000, '1.5 MB'),
          mime: 'application/pdf',
          title: 'Minutes',
          detail: 'The board',
          latitude: 1.5,
          longitude: -2.5,
          round: true,
          too_big: true,
        },
      ],
      poll: {
        question: 'Who wins?',
        type: 'Quiz',
        options: [
          { text: 'White', percent: 60 },
          { text: 'Black', percent: null },
        ],
        voters: exact(321),
      },
      link_preview: {
        url: 'https://b.example/two',
        site_name: 'B',
        title: 'Two',
        description: 'The second page',
        image_url: 'https://cdn.example/two',
      },
      buttons: [
        [
          { text: 'Open', url: 'https://c.example/' },
          { text: 'Vote', url: null },
        ],
      ],
      author: 'The editor',
      via_bot: 'gif',
      album_ids: ['40', '41'],
      reactions: [
        { emoji: '👍', count: exact(10) },
        { custom_id: '5368', count: exact(3) },
        { paid: true, count: rounded(1200, '1.2K') },
      ],
      versions: [],
    })
  })
})

/** A post in which no field has its default. */
function wholePost(now: number): Post {
  const media: Omit<Media, 'kind'> = {
    url: 'https://cdn.example/40',
    thumbnailUrl: 'https://cdn.example/40s',
    width: 800,
    height: 600,
    durationS: 7,
    fileName: 'Minutes.pdf',
    size: count(1_500_000, now, '1.5 MB'),
    mime: 'application/pdf',
    title: 'Minutes',
    detail: 'The board',
    latitude: 1.5,
    longitude: -2.5,
    round: true,
    tooBig: true,
    number: 40,
    fileId: 'file40',
  }
  return makePost({
    number: 40,
    publishedAt: now - HOUR,
    text: 'He\u200bre 🔥 let x = 1',
    edited: true,
    entities: [
      { type: 'text_link', offset: 0, length: 5, url: 'https://a.example/one' },
      { type: 'custom_emoji', offset: 6, length: 2, customId: '77' },
      { type: 'pre', offset: 9, length: 9, language: 'ts' },
      { type: 'quote', offset: 9, length: 9, collapsed: true },
    ],
    views: count(5400, now, '5.4K'),
    author: 'The editor',
    viaBot: 'gif',
    albumNumbers: [40, 41],
    media: [makeMedia('document', media)],
    forwardedFrom: {
      name: 'First desk',
      username: 'first_desk',
      postUrl: 'https://t.me/first_desk/3',
      author: 'A. Ann',
    },
    replyTo: { url: 'https://t.me/whole_posts/39', author: 'Whole', text: 'The one before' },
    poll: {
      question: 'Who wins?',
      type: 'Quiz',
      options: [
        { text: 'White', percent: 60 },
        { text: 'Black', percent: null },
      ],
      voters: count(321, now),
    },
    linkPreview: {
      url: 'https://b.example/two',
      siteName: 'B',
      title: 'Two',
      description: 'The second page',
      imageUrl: 'https://cdn.example/two',
    },
    buttons: [
      [
        { text: 'Open', url: 'https://c.example/' },
        { text: 'Vote', url: null },
      ],
    ],
    reactions: [
      { emoji: '👍', customId: null, paid: false, count: count(10, now) },
      { emoji: null, customId: '5368', paid: false, count: count(3, now) },
      { emoji: null, customId: null, paid: true, count: count(1200, now, '1.2K') },
    ],
  })
}
