import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startService } from './harness.ts'
import type { Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** The rules every request is under. */
describe('requests', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  for (const name of ['chessnews', '@ChessNews', 't.me/chessnews', 'https://t.me/s/CHESSNEWS']) {
    test(`a channel may be called ${name}`, async () => {
      const { json } = await service.get(`/v1/channels/${encodeURIComponent(name)}`)
      assert.equal(json.data.username, 'ChessNews')
      assert.deepEqual(json.warnings, [])
    })
  }

  for (const name of [
    'abc',
    '1abc',
    'a__b',
    'name_',
    'joinchat',
    'a'.repeat(33),
    '..',
    'evil.com/x',
    'имя',
    '%00name',
  ]) {
    test(`${JSON.stringify(name)} is not the name of a channel`, async () => {
      const { status, json } = await service.get(`/v1/search?channel=${encodeURIComponent(name)}`)
      assert.equal(status, 400)
      assert.equal(json.code, 'invalid_username')
    })
  }

  for (const path of ['/v1/channels/ChessNews/posts', '/v1/channels/ChessNews/live']) {
    for (const [q, position, suggestion] of [
      ['game -champion', 6, 'game'],
      ['game OR champion', 0, 'game champion'],
      ['champion "the game"', 9, 'champion the game'],
      ['champion has:photo', 9, 'champion'],
      ['champ* #opening', 0, 'champ opening'],
      ['РИА «Новости»', 4, 'РИА Новости'],
      ['"open quote', 0, 'open quote'],
      ['OR', 0, 'or'],
      ['hashtag:news', 0, 'hashtag news'],
      ["don't (stop", 6, "don't stop"],
      ['!!!', 0, undefined],
      ['🔥', 0, undefined],
      [Array(33).fill('w').join(' '), 64, Array(32).fill('w').join(' ')],
    ] as const) {
      test(`${path} takes words alone, not ${q.slice(0, 32)}`, async () => {
        const { status, json } = await service.get(`${path}?q=${encodeURIComponent(q)}`)
        assert.deepEqual([status, json.code], [400, 'invalid_query'])
        assert.deepEqual(
          [json.errors[0].position, json.errors[0].suggestion],
          [position, suggestion],
        )
        if (suggestion === undefined) return
        const again = await service.get(`${path}?q=${encodeURIComponent(suggestion)}`)
        assert.notEqual(again.status, 400, 'what is suggested is taken')
      })
    }
  }

  test('an emoji among words is passed over', async () => {
    const found = async (q: string) =>
      (await service.get(`/v1/channels/ChessNews/posts?q=${encodeURIComponent(q)}`)).json.data
    assert.ok((await found('champion')).length > 0)
    assert.deepEqual(await found('🔥 champion'), await found('champion'))
  })

  for (const q of ['🔥', '!!!', 'w'.repeat(513)]) {
    test(`/v1/channels looks for no title such as ${q.slice(0, 8)}`, async () => {
      const { status, json } = await service.get(`/v1/channels?q=${encodeURIComponent(q)}`)
      assert.deepEqual([status, json.code], [400, 'invalid_query'])
    })
  }

  for (const q of [
    '🔥 Новости',
    'Новости | шахмат',
    '«Новости» шахмат',
    '"Новости шахмат"',
    '#новости -шахмат',
    '"новости',
    '@Novosti_Shahmat',
    't.me/novosti_shahmat',
    'https://t.me/s/novosti_shahmat',
    'шахмат НОВОСТИ',
  ]) {
    test(`/v1/channels finds a channel by ${q}`, async () => {
      const { json } = await service.get(`/v1/channels?q=${encodeURIComponent(q)}`)
      assert.deepEqual(
        json.data.map((channel: { username: string }) => channel.username),
        ['novosti_shahmat'],
      )
    })
  }

  for (const [query, suggestion] of [
    ['search?query=a', 'q'],
    ['search?q=a&language=en', 'lang'],
    ['search?q=a&per_page=5', 'limit'],
    ['search?q=a&sort=date', 'newest'],
    ['search?q=a&format=markdown', 'md'],
    ['search?has=foto', 'photo'],
    ['search?lang=eng', 'en'],
    ['channels/ChessNews/posts?sort=newest', 'order'],
    ['search?lang=ua', 'uk'],
    ['search?lang=cn', 'zh'],
    ['channels?lang=jp', 'ja'],
    ['channels?sort=new', 'newest_post'],
    ['channels?sort=top', 'subscribers'],
    ['channels?sort=name', 'username'],
    ['channels?username=durov', 'q'],
    ['search?username=durov', 'channel'],
  ] as const) {
    test(`${query} is answered with the suggestion ${suggestion}`, async () => {
      const { status, json } = await service.get(`/v1/${query}`)
      assert.deepEqual([status, json.errors[0].suggestion], [400, suggestion])
    })
  }

  test('a word of the platform’s own is told as such', async () => {
    for (const name of ['share', '@JoinChat']) {
      const { status, json } = await service.get(`/v1/channels/${name}`)
      assert.deepEqual([status, json.code], [400, 'invalid_username'])
      assert.match(json.detail, /the platform reserves that word/)
    }
  })

  test('a former name answers with the present one and a warning', async () => {
    const now = service.clock.now()
    const id = await service.publish({ username: 'old_name_here', platformId: 77 }, [])
    await service.store.archive.record({
      channelId: id,
      at: now + 1,
      capture: 'crawl',
      parserVersion: 1,
      profile: {
        username: 'new_name_here',
        platformId: 77,
        title: 'Renamed',
        description: '',
        avatarUrl: null,
        verified: false,
        subscribers: null,
        counters: { photos: null, videos: null, files: null, links: null },
      },
      posts: [],
      deleted: [],
    })
    const { json } = await service.get('/v1/channels/old_name_here')
    assert.equal(json.data.username, 'new_name_here')
    assert.deepEqual(json.data.aliases, ['old_name_here'])
    assert.equal(json.warnings[0].code, 'renamed')
  })

  for (const slug of ['10', '10-any-words', '10-%D1%81%D0%BB%D0%BE%D0%B2%D0%B0']) {
    test(`the slug ${slug} means post 10`, async () => {
      const { json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.equal(json.data.slug, '10')
    })
  }

  test('any member of an album answers the album', async () => {
    const { json } = await service.get('/v1/channels/ChessNews/posts/12')
    assert.equal(json.data.slug, '11')
    assert.deepEqual(json.data.album_ids, ['11', '12'])
  })

  for (const slug of ['abc', '0', '-1', '99999999999']) {
    test(`the slug ${slug} is refused`, async () => {
      const { status, json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.equal(status, 400)
      assert.equal(json.errors[0].parameter, 'slug')
    })
  }

  for (const slug of ['67108869', '9999999999']) {
    test(`the slug ${slug}, higher than any post's, is not found`, async () => {
      const { status, json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.deepEqual([status, json.code], [404, 'post_not_found'])
    })
  }

  test('an unknown parameter is refused with the nearest name', async () => {
    const { status, json } = await service.get('/v1/search?q=game&sorts=newest')
    assert.equal(status, 400)
    assert.equal(json.code, 'unknown_parameter')
    assert.equal(json.detail, 'unknown parameter `sorts`, did you mean `sort`?')
    assert.equal(json.errors[0].suggestion, 'sort')
  })

  test('a single parameter given twice is refused', async () => {
    const { status, json } = await service.get('/v1/search?q=game&q=draw')
    assert.equal(status, 400)
    assert.equal(json.code, 'invalid_parameter')
    assert.equal(json.errors[0].parameter, 'q')
  })

  test('a wrong choice is refused with the nearest value', async () => {
    const { json } = await service.get('/v1/search?q=game&sort=newst')
    assert.equal(json.errors[0].suggestion, 'newest')
  })

  test('all problems of a request are told at once', async () => {
    const { json } = await service.get(
      '/v1/search?q=game&limit=0&since=yesterdayish&forwards=maybe',
    )
    assert.deepEqual(
      json.errors.map((error: { parameter: string }) => error.parameter).toSorted(),
      ['forwards', 'limit', 'since'],
    )
  })

  test('lists are comma-separated or repeated, and alternatives', async () => {
    const once = await service.get('/v1/search?channel=chessnews,novosti_shahmat&sort=newest')
    const twice = await service.get(
      '/v1/search?channel=chessnews&channel=novosti_shahmat&sort=newest',
    )
    assert.equal(once.json.data.length, 9)
    assert.deepEqual(once.json.data, twice.json.data)
  })

  test('the values of `has` must all hold', async () => {
    const both = await service.get('/v1/search?has=photo,video')
    assert.deepEqual(
      both.json.data.map((hit: { slug: string }) => hit.slug),
      ['11'],
    )
    assert.equal((await service.get('/v1/search?has=photo,poll')).json.data.length, 0)
  })

  test('since is inclusive, until exclusive, and both take dates, date-times and ages', async () => {
    const all = await service.get('/v1/channels/ChessNews/posts?since=6h&order=oldest')
    const [first, second] = all.json.data as { published_at: string; slug: string }[]
    assert.equal(first!.slug, '10')
    const range = `since=${first!.published_at}&until=${second!.published_at}`
    const one = await service.get(`/v1/channels/ChessNews/posts?${range}`)
    assert.deepEqual(
      one.json.data.map((post: { slug: string }) => post.slug),
      ['10'],
    )
    const day = new Date(service.clock.now() - 41 * 86_400_000).toISOString().slice(0, 10)
    const old = await service.get(`/v1/channels/ChessNews/posts?since=${day}&until=30d`)
    assert.deepEqual(
      old.json.data.map((post: { slug: string }) => post.slug),
      ['2'],
    )
  })

  test('a key in the address is refused, whatever the parameter is called', async () => {
    const { key } = await service.keys.create({ tier: 'free', name: null })
    for (const query of [`q=${key}`, `api_key=x`, `token=${key}`, `channel=${key}`]) {
      const { status, json } = await service.get(`/v1/search?${query}`)
      assert.equal(status, 400, query)
      assert.equal(json.code, 'key_in_url')
      assert.ok(!json.detail.includes(key))
    }
  })

  test('a key is taken from either header', async () => {
    const { key, prefix } = await service.keys.create({ tier: 'pro', name: 'two doors' })
    const bearer = await service.get('/v1/meta', { Authorization: `Bearer ${key}` })
    const header = await service.get('/v1/meta', { anonymous: 'yes', 'X-API-Key': key })
    for (const { json } of [bearer, header]) {
      assert.equal(json.data.tier, 'pro')
      assert.equal(json.data.key.prefix, prefix)
      assert.equal(json.data.key.name, 'two doors')
    }
  })

  for (const headers of [
    { Authorization: 'Bearer tgr_unknown' },
    { Authorization: 'Basic dXNlcjpwYXNz' },
    { Authorization: 'Bearer' },
    { anonymous: 'yes', 'X-API-Key': 'nonsense' },
  ]) {
    test(`${JSON.stringify(headers)} is 401, never silently anonymous`, async () => {
      const { status, json, headers: got } = await service.get('/v1/languages', headers as never)
      assert.equal(status, 401)
      assert.equal(json.code, 'invalid_key')
      assert.match(got.get('www-authenticate')!, /Bearer/)
    })
  }

  test('a request id of the right form is echoed, others are replaced', async () => {
    const good = await service.get('/v1/languages', { 'X-Request-Id': 'my-id_1.2' })
    assert.equal(good.headers.get('x-request-id'), 'my-id_1.2')
    assert.equal(good.json.meta.request_id, 'my-id_1.2')
    const bad = await service.get('/v1/languages', { 'X-Request-Id': 'a b"c' })
    assert.match(bad.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
  })

  test('the instance of a problem is an address, whatever was asked for', async () => {
    const instance = async (path: string) => (await service.get(path)).json.instance
    assert.equal(await instance('/v1/channels/%00%20x?limit=1'), '/v1/channels/%00%20x')
    assert.match(await instance(`/v1/x${'%D1%8F'.repeat(99)}`), /^\/v1\/x(%[0-9A-F]{2}){83}$/)
  })

  test('other methods are 405 with Allow', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, json, headers } = await service.get('/v1/search?q=game', {}, { method })
      assert.equal(status, 405)
      assert.equal(json.code, 'method_not_allowed')
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  })

  test('a method nobody knows is 405 with Allow too', async () => {
    for (const method of ['FOO', 'get', 'CONNECT']) {
      const answer = await rawRequest(service, `${method} /v1/meta HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(answer, /^HTTP\/1.1 405 .*^Allow: GET, HEAD, OPTIONS\r$.*method_not_allowed/ms)
    }
  })

  test('HEAD has the headers of GET and no body', async () => {
    const get = await service.get('/v1/languages')
    const head = await service.get('/v1/languages', {}, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
  })

  test('a browser of any origin may ask', async () => {
    const { status, headers } = await service.get(
      '/v1/search',
      { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
      { method: 'OPTIONS' },
    )
    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(
      headers.get('access-control-allow-headers'),
      'Authorization, X-API-Key, If-None-Match',
    )
    const { headers: got } = await service.get('/v1/languages')
    assert.equal(
      got.get('access-control-expose-headers'),
      'RateLimit, RateLimit-Policy, Retry-After, Link, ETag, X-Request-Id',
    )
    assert.equal(got.get('vary'), 'Accept, Accept-Encoding, Authorization, X-API-Key')
  })

  for (const path of ['/', '/docs', '/llms.txt', '/healthz', '/errors/internal']) {
    test(`OPTIONS ${path} tells the methods, and opens nothing to other sites`, async () => {
      const { status, headers } = await service.get(path, {}, { method: 'OPTIONS' })
      assert.equal(status, 204)
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS')
      assert.equal(headers.get('access-control-allow-origin'), null)
    })
  }

  test('an ETag gives 304 until something changes', async () => {
    for (const path of [
      '/v1/search?q=game&limit=2',
      '/v1/channels/ChessNews',
      '/v1/channels/ChessNews/posts',
      '/v1/channels',
    ]) {
      const first = await service.get(path)
      const etag = first.headers.get('etag')!
      assert.match(etag, /^W\/"/)
      service.pass(10_000)
      const again = await service.get(path, { 'If-None-Match': `"other", ${etag}` })
      assert.equal(again.status, 304, path)
      assert.equal(again.headers.get('etag'), etag)
      assert.equal((await service.get(path, { 'If-None-Match': '*' })).status, 200)
    }
  })

  test('keyed replies are private, /meta and errors are not stored', async () => {
    const control = async (path: string, headers = {}) =>
      (await service.get(path, headers)).headers.get('cache-control')
    assert.match((await control('/v1/languages'))!, /^private/)
    assert.match((await control('/v1/languages', { anonymous: 'yes' }))!, /^public/)
    assert.equal(await control('/v1/meta'), 'no-store')
    assert.equal(await control('/v1/channels/nobody_here'), 'no-store')
  })

  for (const coding of ['br', 'gzip', 'zstd']) {
    test(`replies above 1 KiB are compressed with ${coding} where the client takes it`, async () => {
      const raw = (path: string) =>
        fetch(`${service.url}${path}`, { headers: { 'Accept-Encoding': coding } })
      const large = await raw('/v1/search?q=game')
      assert.equal(large.headers.get('content-encoding'), coding)
      assert.ok(((await large.json()) as { data: unknown[] }).data.length > 0)
      const small = await raw('/v1/languages')
      assert.equal(small.headers.get('content-encoding'), null)
    })
  }

  for (const path of ['/docs', '/docs/docs.js', '/errors', '/errors/internal', '/llms.txt']) {
    test(`${path} is compressed like any reply, and caches are told`, async () => {
      const ask = (coding: string) =>
        fetch(`${service.url}${path}`, { headers: { 'Accept-Encoding': coding } })
      const plain = await ask('identity')
      const small = await ask('gzip')
      assert.equal(await small.text(), await plain.text())
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.equal(small.headers.get('content-encoding'), 'gzip')
      assert.match(small.headers.get('vary')!, /Accept-Encoding/)
      assert.match(plain.headers.get('vary')!, /Accept-Encoding/)
    })
  }

  test('links come from configuration, whatever Host says', async () => {
    const answer = await rawRequest(
      service,
      'GET /v1/channels?limit=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    )
    assert.match(
      answer,
      /Link: <https:\/\/telegrep\.example\/v1\/channels\?limit=1&cursor=[^>]+>; rel="next"/i,
    )
    assert.ok(!answer.includes('evil.example'))
  })

  test('what is no HTTP gets a problem document all the same, and spends nothing', async () => {
    const asked = await service.get('/v1/languages', { anonymous: '' })
    const policy = asked.headers.get('ratelimit-policy')
    const left = /"burst";r=\d+/.exec(asked.headers.get('ratelimit')!)![0]
    assert.notEqual(left, '"burst";r=30')
    const cases: [string, number, string][] = [
      ['NONSENSE\r\n\r\n', 400, 'invalid_request'],
      ['GET /v1/meta HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
      ['GET / HTTP/1.1\r\nHost: a b c\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
      [
        `GET /v1/search?q=${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        414,
        'uri_too_long',
      ],
      [
        `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`,
        431,
        'header_fields_too_large',
      ],
    ]
    for (const [sent, status, code] of cases) {
      const answer = await rawRequest(service, sent)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), sent.slice(0, 40))
      assert.match(answer, /application\/problem\+json/)
      const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      assert.equal(problem.code, code)
      const header = (name: string) => new RegExp(`^${name}: (.+)$`, 'im').exec(answer)?.[1]
      assert.equal(header('X-Request-Id'), problem.request_id)
      assert.equal(header('RateLimit-Policy'), policy)
      assert.equal(header('RateLimit')?.split(';t=')[0], left)
    }
    const large = `HEAD / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`
    assert.match(await rawRequest(service, large), /^HTTP\/1.1 431 .*\r\n\r\n$/s)
  })

  test('HTTP/1.0 needs no Host, HTTP/1.1 does', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/meta']) {
      assert.match(await rawRequest(service, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 200 /)
      const bare = `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`
      assert.match(await rawRequest(service, bare), /^HTTP\/1.1 400 /)
    }
  })

  test('an address that was not percent-encoded is told how to be', async () => {
    for (const address of ['/v1/search?q=погода', '/v1/search?q=two words', '/канал']) {
      const answer = await rawRequest(service, `GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(answer, /^HTTP\/1.1 400 .*percent-encoded.*--data-urlencode/s, address)
    }
  })
})

function rawRequest(service: Service, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
