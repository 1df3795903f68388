import { parse } from 'csv-parse/sync'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import RssParser from 'rss-parser'
import { startService, type Service } from './harness.ts'
import { fillWorld } from './world.ts'

const LISTS = [
  '/v1/search?channel=chessnews',
  '/v1/channels/ChessNews/posts?limit=7',
  '/v1/channels/ChessNews/live?limit=7',
]

describe('formats', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const postsOf = async (path: string) => {
    const { data } = (await service.get(path)).json
    return (Array.isArray(data) ? data : data.posts) as Record<string, any>[]
  }

  const typeOf = async (path: string, accept?: string) => {
    const { status, headers } = await service.get(
      path,
      accept === undefined ? {} : { Accept: accept },
    )
    return status === 200 ? headers.get('content-type')!.split(';')[0] : status
  }

  test('the format parameter takes precedence over Accept', async () => {
    assert.equal(await typeOf('/v1/search?q=game&format=csv', 'text/markdown'), 'text/csv')
  })

  test('Accept is negotiated by quality, and ties are decided by our own order of formats', async () => {
    const path = '/v1/search?q=game'
    assert.equal(await typeOf(path, 'text/markdown'), 'text/markdown')
    assert.equal(await typeOf(path, 'text/csv;q=0.5, application/rss+xml'), 'application/rss+xml')
    assert.equal(await typeOf(path, 'application/feed+json'), 'application/feed+json')
    assert.equal(await typeOf(path, 'application/x-ndjson'), 'application/x-ndjson')
    assert.equal(await typeOf(path, 'text/html,*/*;q=0.8'), 'application/json')
    assert.equal(await typeOf(path, 'text/*'), 'text/markdown')
    assert.equal(await typeOf(path, 'application/json;q=0, */*;q=0.1'), 'text/markdown')
  })

  test('an Accept that no format fits gets 406, an unknown format 400', async () => {
    assert.equal(await typeOf('/v1/search?q=game', 'image/png'), 406)
    assert.equal(await typeOf('/v1/meta', 'text/markdown'), 406)
    const { status, json } = await service.get('/v1/search?q=game&format=jsn')
    assert.equal(status, 400)
    assert.equal(json.errors[0].parameter, 'format')
    assert.equal(json.errors[0].suggestion, 'json')
    assert.equal((await service.get('/v1/channels?format=rss')).status, 400)
  })

  test('every format names the codes of the warnings in a header', async () => {
    const asked = '/v1/search?q=game&since=90d&lang=la,eo'
    for (const format of ['json', 'md', 'ndjson', 'csv', 'excel', 'rss', 'jsonfeed']) {
      const { headers } = await service.get(`${asked}&format=${format}`)
      assert.equal(headers.get('telegrep-warnings'), 'window_clipped, language_not_held', format)
      assert.match(headers.get('access-control-expose-headers')!, /, Telegrep-Warnings$/)
    }
    const { headers } = await service.get('/v1/search?q=game&format=csv')
    assert.equal(headers.get('telegrep-warnings'), null)
    const head = await service.get(`${asked}&format=csv`, {}, { method: 'HEAD' })
    assert.ok(head.headers.has('telegrep-warnings'))
  })

  for (const path of LISTS) {
    test(`ndjson of ${path} has the posts of the JSON, one per line`, async () => {
      const posts = await postsOf(path)
      const { text } = await service.get(`${path}&format=ndjson`)
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      assert.equal(lines.length, 7)
      assert.deepEqual(lines, posts)
    })

    test(`csv of ${path} has the posts of the JSON, and no cell starts a formula`, async () => {
      const { text } = await service.get(`${path}&format=csv`)
      const rows = parse(text, { columns: true }) as Record<string, string>[]
      assert.equal(rows.length, 7)
      assert.deepEqual(rows, (await postsOf(path)).map(rowOf))
      assert.ok(
        rows.some(
          ({ text: cell }) => cell === "'=SUM(A1) *not bold* <script>alert(1)</script> game",
        ),
      )
      for (const row of rows) {
        for (const cell of Object.values(row)) assert.ok(!/^[=+\-@\t\r]/.test(cell), cell)
      }
    })

    test(`excel of ${path} is csv with a byte order mark, and Accept never selects it`, async () => {
      const bytesOf = async (given: string, init?: RequestInit) => {
        const reply = await fetch(`${service.url}${path}${given}`, init)
        assert.match(reply.headers.get('content-type')!, /^text\/csv/)
        return Buffer.from(await reply.arrayBuffer())
      }
      const csv = await bytesOf('&format=csv')
      assert.deepEqual(await bytesOf('', { headers: { accept: 'text/csv' } }), csv)
      const excel = await bytesOf('&format=excel')
      assert.deepEqual(excel, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), csv]))
      const { client } = service
      assert.match(await client.text('search_posts', { q: 'game', format: 'excel' }), /^\uFEFFid,/)
    })

    test(`rss of ${path} is read by a feed parser, with no HTML in its titles`, async () => {
      const { text } = await service.get(`${path}&format=rss`)
      const feed = await new RssParser().parseString(text)
      assert.equal(feed.items.length, 7)
      assert.deepEqual(
        feed.items.map(({ link, isoDate }) => [link, isoDate]),
        (await postsOf(path)).map((post) => [
          post['url'],
          new Date(post['published_at']).toISOString(),
        ]),
      )
      for (const item of feed.items) {
        assert.ok(item.title)
        assert.ok(!/<script/.test(item.content ?? ''))
        // Feed readers also take a title for HTML.
        assert.ok(!/</.test(item.title), item.title)
      }
      const title = '=SUM(A1) *not bold* &lt;script>alert(1)&lt;/script> game'
      assert.ok(feed.items.some((item) => item.title === title))
    })

    test(`jsonfeed of ${path} has the fields that the format requires`, async () => {
      const { json } = await service.get(`${path}&format=jsonfeed`)
      assert.equal(json.version, 'https://jsonfeed.org/version/1.1')
      assert.equal(json.items.length, 7)
      assert.deepEqual(
        (json.items as Record<string, unknown>[]).map((item) => [
          item['url'],
          item['date_published'],
        ]),
        (await postsOf(path)).map((post) => [post['url'], post['published_at']]),
      )
      for (const item of json.items as Record<string, unknown>[]) {
        assert.equal(typeof item['id'], 'string')
        assert.ok(
          typeof item['content_text'] === 'string' || typeof item['content_html'] === 'string',
        )
      }
    })

    test(`markdown of ${path} escapes the author's own markup and shows full URLs`, async () => {
      const { text } = await service.get(`${path}&format=md`)
      assert.match(text, /^# /)
      assert.ok(text.includes('\\*not bold\\*'), text)
      assert.ok(!/(?<!\\)!\[/.test(text))
      assert.ok(!/^<script/m.test(text))
      assert.ok(text.includes('<https://t.me/ChessNews/16>'))
      assert.match(text, /third-party content/)
    })
  }

  test('a Markdown page of search results stays below 8 000 characters, and max_chars shortens it', async () => {
    const { text } = await service.get('/v1/search?q=game OR champion OR queen&format=md')
    assert.ok(text.length < 8_000)
    const capped = await service.get('/v1/search?channel=chessnews&format=md&max_chars=100')
    const plain = await service.get('/v1/search?channel=chessnews&format=md&detail=ids')
    assert.ok(capped.text.length < plain.text.length + 7 * 200 + 100)
  })

  test('profiles and posts are available as Markdown', async () => {
    const profile = await service.get('/v1/channels/ChessNews?format=md')
    assert.match(profile.text, /^# Chess news \(@ChessNews\)/)
    assert.match(profile.text, /- Subscribers: 12\.3K/)
    const post = await service.get('/v1/channels/ChessNews/posts/10?format=md')
    assert.match(post.text, /\*\*champion\*\*/)
    assert.ok(post.text.includes('https://example.com/games?id=1'))
  })

  test('an explanation is available as json and md only', async () => {
    for (const [format, status] of [
      ['json', 200],
      ['md', 200],
      ['ndjson', 400],
      ['csv', 400],
      ['excel', 400],
      ['rss', 400],
      ['jsonfeed', 400],
    ] as const) {
      const reply = await service.get(`/v1/search?q=game&explain=true&format=${format}`)
      assert.equal(reply.status, status, format)
      if (status === 400) assert.equal(reply.json.errors[0].parameter, 'format')
      if (status === 400) assert.match(reply.json.detail, /json, md with explain, which finds no/)
    }
    for (const [accept, status] of [
      ['text/csv', 406],
      ['text/csv, text/markdown;q=0.5', 200],
      ['text/markdown', 200],
    ] as const) {
      const reply = await service.get('/v1/search?q=game&explain=true', { Accept: accept })
      assert.equal(reply.status, status, accept)
      if (status === 200) assert.match(reply.headers.get('content-type')!, /^text\/markdown/)
    }
  })

  test('every format has the next page in its Link header', async () => {
    for (const format of ['json', 'md', 'ndjson', 'csv', 'excel', 'rss', 'jsonfeed']) {
      const first = await service.get(`/v1/channels/ChessNews/posts?limit=2&format=${format}`)
      const link = /^<https:\/\/telegrep\.example([^>]+)>; rel="next", </.exec(
        first.headers.get('link')!,
      )
      assert.ok(link, format)
      const second = await service.get(link[1]!)
      assert.equal(second.status, 200)
      assert.notEqual(second.text, first.text)
    }
    const all = await service.get('/v1/channels/ChessNews/posts?limit=100')
    assert.doesNotMatch(all.headers.get('link')!, /rel="next"/)
  })
})

/** A post of the JSON, brief or full, as a row of the table. */
function rowOf(post: Record<string, any>): Record<string, string> {
  const text = (post['snippet'] ?? post['text']) as string
  const full = Array.isArray(post['media'])
  const kinds: string[] = full
    ? [
        ...post['media'].map(({ kind }: { kind: string }) => kind),
        ...(post['poll'] ? ['poll'] : []),
      ]
    : post['media'].kinds
  const reactions: number = full
    ? post['reactions'].reduce((sum: number, { count }: any) => sum + count.value, 0)
    : post['reactions'].total
  return {
    id: post['id'],
    url: post['url'],
    channel: post['channel'].username,
    channel_title: post['channel'].title,
    published_at: post['published_at'],
    first_captured_at: post['first_captured_at'],
    edited: String(post['edited']),
    language: post['language'],
    text: text.startsWith('=') ? `'${text}` : text,
    views: String(post['views']?.value ?? ''),
    reactions: String(reactions),
    media: kinds.join(' '),
    links: post['links'].join(' '),
    hashtags: post['hashtags'].join(' '),
    mentions: post['mentions'].join(' '),
    forwarded_from: '',
    reply_to: post['reply_to']?.url ?? '',
    score: String(post['score'] ?? ''),
    matched: post['matched'] ?? '',
    deleted_at: '',
  }
}
