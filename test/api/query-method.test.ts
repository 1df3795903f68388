import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:net'
import { startService, type Answer, type Service } from './harness.ts'
import { yardstickMs } from '../processor-time.ts'
import { until } from '../until.ts'
import { fillWorld } from './world.ts'

describe('QUERY /v1/search', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  function ask(content: unknown, headers: Record<string, string> = {}, path = '/v1/search') {
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    const init = { method: 'QUERY', body }
    return service.get(path, { 'content-type': 'application/json', ...headers }, init)
  }

  const ids = ({ json }: Answer) => json.data.map(({ id }: { id: string }) => id)

  test('gives the same answer as GET at its Content-Location', async () => {
    const input = {
      q: 'champion',
      channel: ['ChessNews', 'durov'],
      limit: 2,
      collapse: 'duplicates',
    }
    const asked = await ask(input)
    assert.equal(asked.status, 200, asked.text)
    assert.ok(asked.json.data.length > 0)
    const address = asked.headers.get('content-location')!
    const got = await service.get(address.slice('https://telegrep.example'.length))
    assert.deepEqual(ids(asked), ids(got))
    assert.equal(asked.headers.get('etag'), got.headers.get('etag'))
    assert.equal((await ask(input, { 'if-none-match': got.headers.get('etag')! })).status, 304)
    for (const { headers } of [asked, got]) {
      assert.equal(headers.get('accept-query'), 'application/json')
    }
  })

  test('rejects a Content-Encoding other than `identity`', async () => {
    const input = { q: 'champion', limit: 1 }
    const { status, json } = await ask(input, { 'content-encoding': 'gzip' })
    assert.deepEqual([status, json.code], [415, 'unsupported_media_type'])
    assert.match(json.detail, /without a Content-Encoding, found "gzip"/)
    assert.equal((await ask(input, { 'content-encoding': 'identity' })).status, 200)
  })

  test('continues with a cursor in the body, or at the next link', async () => {
    const input = { q: 'champion', limit: 1 }
    const first = await ask(input)
    const second = await ask({ ...input, cursor: first.json.meta.next_cursor })
    const [, next = ''] = /^<https:\/\/telegrep\.example([^>]+)>; rel="next"/.exec(
      first.headers.get('link')!,
    )!
    assert.deepEqual(ids(second), ids(await service.get(next)))
    assert.notDeepEqual(ids(second), ids(first))
  })

  test('accepts lists too long for an address', async () => {
    const channel = Array.from({ length: 50 }, (_, i) => `c${'x'.repeat(28)}${100 + i}`)
    const url = Array.from({ length: 50 }, (_, i) => `https://example.com/${'y'.repeat(200)}${i}`)
    const { status, json, headers } = await ask({ q: 'champion', channel, url })
    assert.equal(status, 200)
    assert.equal(json.meta.coverage.not_indexed.length, 50)
    assert.equal(headers.get('content-location'), null)
  })

  test('accepts a format in the body, the address or the Accept header', async () => {
    for (const [content, headers, path] of [
      [{ q: 'champion', format: 'md' }, {}, '/v1/search'],
      [{ q: 'champion' }, { accept: 'text/markdown' }, '/v1/search'],
      [{ q: 'champion' }, {}, '/v1/search?format=md'],
    ] as const) {
      const reply = await ask(content, headers, path)
      assert.match(reply.headers.get('content-type')!, /^text\/markdown/)
    }
  })

  test('rejects a bad body with the reason', async () => {
    const cases: [unknown, Record<string, string>, string, number, RegExp][] = [
      ['{"q": ', {}, 'invalid_request', 400, /JSON object of parameters, found what is no JSON$/],
      ['[1]', {}, 'invalid_request', 400, /JSON object of parameters, found a list$/],
      ['null', {}, 'invalid_request', 400, /JSON object of parameters, found null$/],
      ['', {}, 'invalid_request', 400, /JSON object of parameters, found what is no JSON$/],
      [{ q: null }, {}, 'invalid_parameter', 400, /^`q`: expected one value, found null$/],
      [{ q: { a: 1 } }, {}, 'invalid_parameter', 400, /^`q`: expected one value, found an object$/],
      [{ q: ['x'] }, {}, 'invalid_parameter', 400, /^`q`: expected one value, found a list$/],
      [{ q: ['x', 'y'] }, {}, 'invalid_parameter', 400, /^`q`: given more than once/],
      [
        { q: 'x', format: ['md'] },
        {},
        'invalid_parameter',
        400,
        /expected one value, found a list$/,
      ],
      ['{"q": "x", "\\u0071" : "y"}', {}, 'invalid_parameter', 400, /^`q`: given more than once/],
      ['q=x', { 'content-type': 'text/plain' }, 'unsupported_media_type', 415, /application\/json/],
      [{ q: 'x'.repeat(70_000) }, {}, 'content_too_large', 413, /65536 bytes/],
      [{ qq: 'x' }, {}, 'unknown_parameter', 400, /did you mean `q`/],
      [{ q: 'x', limit: 'many' }, {}, 'invalid_parameter', 400, /limit/],
      [{ q: 'x', format: ['md'] }, {}, 'invalid_parameter', 400, /format/],
    ]
    for (const [content, headers, code, status, detail] of cases) {
      const reply = await ask(content, headers)
      assert.equal(reply.status, status, reply.text)
      assert.equal(reply.json.code, code)
      assert.match(reply.json.detail, detail)
    }
    const twice = await ask({ q: 'x' }, {}, '/v1/search?q=y')
    assert.match(twice.json.detail, /`q`: given in the address and in the content/)
  })

  test('accepts a string that looks like a duplicate name', async () => {
    const { status, text } = await ask({
      q: '"a": "a": b',
      url: [',', ':a', ':b'].map((end) => `https://a.example/${end}"`),
    })
    assert.equal(status, 200, text)
  })

  test('rejects a body crafted to be expensive without spending much CPU time', async () => {
    const many = Array.from({ length: 20_000 }, () => 0)
    for (const content of [
      { ['k'.repeat(20_000)]: many },
      { q: many },
      { channel: many },
      `{"q":{"toString":1,"valueOf":1}}`,
      `{"q":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      Object.fromEntries(many.map((_, i) => [`k${i}`.slice(0, 4), 0])),
    ]) {
      const started = process.cpuUsage()
      const { status, json } = await ask(content)
      const { user } = process.cpuUsage(started)
      assert.equal(status, 400, JSON.stringify(json))
      assert.ok(user / 1000 < 1000 * Math.max(1, yardstickMs()), `${user / 1000} ms`)
    }
  })

  test('is served at this path only, and OPTIONS says so', async () => {
    const elsewhere = await ask({}, {}, '/v1/languages')
    assert.equal(elsewhere.status, 405)
    assert.equal(elsewhere.headers.get('allow'), 'GET, HEAD, OPTIONS')
    const asked = { 'access-control-request-method': 'QUERY' }
    const { headers } = await service.get('/v1/search', asked, { method: 'OPTIONS' })
    assert.equal(headers.get('allow'), 'GET, HEAD, QUERY, OPTIONS')
    assert.match(headers.get('access-control-allow-methods')!, /QUERY/)
    assert.match(headers.get('access-control-allow-headers')!, /Content-Type/)
    assert.equal(headers.get('accept-query'), 'application/json')
  })

  test('gives up on an incomplete body after five seconds', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let reply = ''
    socket.on('data', (data) => (reply += String(data)))
    socket.write(
      'QUERY /v1/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await until(() => {
      service.pass(500)
      return reply.endsWith('}')
    })
    socket.destroy()
    assert.match(reply, /^HTTP\/1.1 400 .*whole body in 5 s/s)
  })
})

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
