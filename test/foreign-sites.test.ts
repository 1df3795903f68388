import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from './start-service.ts'

const PATHS = [
  '/v1/search?q=market',
  '/v1/channels/durov/live',
  '/v1/stream?q=market',
  '/v1/meta',
  '/v1/openapi.json',
  '/v1/nothing',
  `/media/${'0'.repeat(64)}`,
  '/',
  '/?q=market',
  '/docs',
  '/llms.txt',
  '/mcp',
]
const FOREIGN = 'https://elsewhere.example'

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** `fetch` would choose the Host itself. */
async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Reply> {
  const asked = request(url, { method, headers, agent: false })
  if (method === 'POST') asked.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  // A stream does not end.
  if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
  else for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode!, headers: response.headers, text }
}

const MESSAGE = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

describe('a service whose address is on the loopback', () => {
  let service: Service
  before(async () => {
    service = await startService({ crawl: false })
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [what, headers, status, code] of [
    ['from pages of other sites', { origin: FOREIGN }, 403, 'origin_not_allowed'],
    ['from sandboxed pages', { origin: 'null' }, 403, 'origin_not_allowed'],
    [
      'of which a browser says that another site sends them',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      403,
      'origin_not_allowed',
    ],
    [
      'for a frame on a page of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
      'origin_not_allowed',
    ],
    ['under a foreign name', { host: 'rebound.example:8080' }, 421, 'host_not_allowed'],
    [
      'under a name that begins like its own',
      { host: 'localhost.example' },
      421,
      'host_not_allowed',
    ],
  ] as const) {
    test(`refuses requests ${what}, over every face, and charges nobody`, async () => {
      const remaining = async () => (await ask(`${service.url}/v1/meta`, {})).headers['ratelimit']
      await ask(`${service.url}/v1/languages`, {})
      const before = await remaining()
      for (const path of PATHS) {
        const reply = await ask(`${service.url}${path}`, headers)
        assert.equal(reply.status, status, path)
        assert.match(reply.text, new RegExp(`"code":"${code}"`), path)
        assert.match(reply.text, /set TELEGREP_PUBLIC_URL to the address/, path)
        assert.equal(reply.headers['access-control-allow-origin'], undefined, path)
      }
      const reply = await ask(`${service.url}/mcp`, { ...MESSAGE, ...headers }, 'POST')
      assert.equal(reply.status, status)
      const may = { ...headers, 'access-control-request-method': 'GET' }
      assert.equal((await ask(`${service.url}/v1/search`, may, 'OPTIONS')).status, status)
      assert.equal((await ask(`${service.url}/mcp`, may, 'OPTIONS')).status, status)
      assert.equal(withoutTime(await remaining()), withoutTime(before))
    })
  }

  test('answers this machine by its names, its own pages, and who follows a link from elsewhere', async () => {
    const { port } = new URL(service.url)
    for (const headers of [
      {},
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    ] as Readonly<Record<string, string>>[]) {
      for (const path of ['/v1/meta', '/', '/llms.txt']) {
        const reply = await ask(`${service.url}${path}`, headers)
        assert.equal(reply.status, 200, JSON.stringify(headers))
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
      assert.equal(
        (await ask(`${service.url}/mcp`, { ...MESSAGE, ...headers }, 'POST')).status,
        200,
      )
    }
  })

  test('lets pages of this machine read its replies', async () => {
    const origin = 'http://localhost:6274'
    for (const path of ['/v1/meta', '/v1/openapi.json', '/v1', '/mcp']) {
      const method = path === '/mcp' ? 'POST' : 'GET'
      const reply = await ask(`${service.url}${path}`, { ...MESSAGE, origin }, method)
      assert.equal(reply.status, 200, path)
      assert.equal(reply.headers['access-control-allow-origin'], origin, path)
      assert.match(String(reply.headers['vary']), /Origin/, path)
    }
  })

  test('health checks may come under any name', async () => {
    assert.equal((await ask(`${service.url}/healthz`, { host: 'probe.example' })).status, 200)
  })
})

test('a service with a public address answers every name and pages of every site', async () => {
  await using service = await startService({
    crawl: false,
    env: { TELEGREP_PUBLIC_URL: 'https://telegrep.example.org' },
  })
  // Proxies pass on the public name, or the address that they ask.
  for (const host of ['telegrep.example.org', new URL(service.url).host]) {
    for (const path of ['/v1/meta', '/v1/openapi.json', '/v1', '/mcp']) {
      const method = path === '/mcp' ? 'POST' : 'GET'
      const headers = { ...MESSAGE, host, origin: FOREIGN, 'sec-fetch-site': 'cross-site' }
      const reply = await ask(`${service.url}${path}`, headers, method)
      assert.equal(reply.status, 200, path)
      assert.equal(reply.headers['access-control-allow-origin'], '*', path)
    }
  }
})

function withoutTime(ratelimit: unknown): string {
  return String(ratelimit).replaceAll(/;t=\d+/g, '')
}
