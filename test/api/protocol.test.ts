import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { makePost, startService, type Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** Headers that differ between two replies to the same request, and the length, which HEAD may leave out. */
const OF_ONE_REPLY = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'ratelimit',
  'x-request-id',
])

/** HTTP itself: methods, headers, caching, compression, and what is not HTTP. */
describe('protocol', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  test('a well-formed request id is echoed, others are replaced', async () => {
    const good = await service.get('/v1/languages', { 'X-Request-Id': 'my-id_1.2' })
    assert.equal(good.headers.get('x-request-id'), 'my-id_1.2')
    assert.equal(good.json.meta.request_id, 'my-id_1.2')
    const bad = await service.get('/v1/languages', { 'X-Request-Id': 'a b"c' })
    assert.match(bad.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
  })

  test('the instance of a problem is a percent-encoded path of limited length', async () => {
    const instance = async (path: string) => (await service.get(path)).json.instance
    assert.equal(await instance('/v1/channels/%00%20x?limit=1'), '/v1/channels/%00%20x')
    assert.match(await instance(`/v1/x${'%D1%8F'.repeat(99)}`), /^\/v1\/x(%[0-9A-F]{2}){83}$/)
  })

  test('methods that are not allowed get 405 with Allow', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, json, headers } = await service.get('/v1/search?q=game', {}, { method })
      assert.equal(status, 405)
      assert.equal(json.code, 'method_not_allowed')
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  })

  test('unknown methods get 405 with Allow too', async () => {
    for (const method of ['FOO', 'get', 'CONNECT']) {
      const answer = await rawRequest(service, `${method} /v1/meta HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(answer, /^HTTP\/1.1 405 .*^Allow: GET, HEAD, OPTIONS\r$.*method_not_allowed/ms)
    }
  })

  test('OPTIONS * lists the methods', async () => {
    const asked = 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    assert.match(
      await rawRequest(service, asked),
      /^HTTP\/1.1 204 .*^Allow: GET, HEAD, OPTIONS\r$/ms,
    )
  })

  for (const path of [
    '/v1/languages',
    '/v1/search?q=game',
    '/v1/channels/ChessNews/posts?limit=2&format=csv',
    '/v1/channels/ChessNews/posts/10/evidence',
    '/v1/channels/nobody_here',
    '/docs',
  ]) {
    test(`HEAD ${path} has the status and headers of GET and no body`, async () => {
      const get = await service.get(path)
      const head = await service.get(path, {}, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [get.status, ''])
      const lasting = ({ headers }: typeof get) =>
        [...headers]
          .filter(([name]) => !OF_ONE_REPLY.has(name))
          .map(([name, value]) => [name, value.replace(/&cursor=[^>]+/, '')])
      assert.ok(lasting(get).length > 5)
      assert.deepEqual(lasting(head), lasting(get))
    })
  }

  test('CORS allows any origin to send requests and read the rate limit headers', async () => {
    const { status, headers } = await service.get(
      '/v1/search',
      { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
      { method: 'OPTIONS' },
    )
    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(
      headers.get('access-control-allow-headers'),
      'Authorization, X-API-Key, If-None-Match, Last-Event-ID',
    )
    const { headers: got } = await service.get('/v1/languages')
    assert.equal(
      got.get('access-control-expose-headers'),
      'RateLimit, RateLimit-Policy, Retry-After, Link, ETag, X-Request-Id',
    )
    assert.equal(got.get('vary'), 'Accept, Accept-Encoding, Authorization, X-API-Key')
  })

  for (const path of ['/', '/docs', '/llms.txt', '/healthz', '/errors/internal']) {
    test(`OPTIONS ${path} lists the methods and sends no CORS headers`, async () => {
      const { status, headers } = await service.get(path, {}, { method: 'OPTIONS' })
      assert.equal(status, 204)
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS')
      assert.equal(headers.get('access-control-allow-origin'), null)
    })
  }

  test('If-None-Match gets 304 while nothing has changed, and the new reply after a change', async () => {
    const etags = new Map<string, string>()
    for (const path of [
      '/v1/search?q=game&limit=2',
      '/v1/channels/ChessNews',
      '/v1/channels/ChessNews/posts',
      '/v1/channels/ChessNews/posts/16',
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
      etags.set(path, etag)
    }
    const profile = { username: 'ChessNews', title: 'Chess and more', platformId: 1001 }
    const publishedAt = service.clock.now()
    await service.publish(profile, [
      makePost({ number: 16, publishedAt, text: 'Another game' }),
      makePost({ number: 18, publishedAt, text: 'One more game' }),
    ])
    for (const [path, etag] of etags) {
      const { status, headers } = await service.get(path, { 'If-None-Match': etag })
      assert.equal(status, 200, path)
      assert.match(headers.get('etag')!, /^W\/"/)
      assert.notEqual(headers.get('etag'), etag)
    }
  })

  test('replies to a key are private, /meta and errors are not stored', async () => {
    const control = async (path: string, headers = {}) =>
      (await service.get(path, headers)).headers.get('cache-control')
    assert.match((await control('/v1/languages'))!, /^private/)
    assert.match((await control('/v1/languages', { anonymous: 'yes' }))!, /^public/)
    assert.equal(await control('/v1/meta'), 'no-store')
    assert.equal(await control('/v1/channels/nobody_here'), 'no-store')
  })

  for (const coding of ['br', 'gzip', 'zstd']) {
    test(`replies above 1 KiB are compressed with ${coding} if the client accepts it`, async () => {
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
    test(`${path} is compressed, and Vary names Accept-Encoding`, async () => {
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

  test('links are built from the configured origin, not from the Host header', async () => {
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

  test('malformed HTTP gets a problem document and costs no quota', async () => {
    const asked = await service.get('/v1/languages', { anonymous: '' })
    const policy = asked.headers.get('ratelimit-policy')
    const left = /"burst";r=\d+/.exec(asked.headers.get('ratelimit')!)![0]
    assert.notEqual(left, '"burst";r=30')
    const cases: [string, number, string][] = [
      ['NONSENSE\r\n\r\n', 400, 'invalid_request'],
      ['GET /v1/meta HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
      ['GET /v1/meta HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'invalid_request'],
      ['GET /v1/meta HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'invalid_request'],
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

  test('HTTP/1.1 requires a Host header, HTTP/1.0 does not', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/meta']) {
      assert.match(await rawRequest(service, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 200 /)
      const bare = `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`
      assert.match(await rawRequest(service, bare), /^HTTP\/1.1 400 /)
    }
  })

  test('an address that is not percent-encoded gets 400 and an explanation', async () => {
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

describe('the Content-Usage policy', () => {
  test('is on every reply that contains posts, and in robots.txt', async () => {
    await using service = await startService()
    await fillWorld(service)
    for (const [path, wanted] of [
      ['/v1/search?q=champion', 'train-ai=n'],
      ['/v1/search?q=champion&format=rss', 'train-ai=n'],
      ['/v1/channels/ChessNews/posts', 'train-ai=n'],
      ['/v1/languages', null],
      ['/v1/meta', null],
    ] as const) {
      assert.equal((await service.get(path)).headers.get('content-usage'), wanted, path)
    }
    assert.match((await service.get('/robots.txt')).text, /^Content-Usage: train-ai=n$/m)
  })
})
