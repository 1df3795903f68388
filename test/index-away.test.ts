import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './start-service.ts'

test('a service whose search servers are down starts, is ready and answers everything but searches', async () => {
  await using service = await startService({
    env: { TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' },
    crawl: false,
  })
  const get = (path: string) => fetch(`${service.url}${path}`)
  for (const path of ['/healthz', '/readyz', '/v1/meta', '/v1/channels', '/status', '/channels'])
    assert.equal((await get(path)).status, 200, path)
  assert.equal((await get('/v1/channels/durov/live')).status, 200)
  const search = await get('/v1/search?q=snow')
  assert.equal(search.status, 503)
  assert.ok(Number(search.headers.get('retry-after')) > 0)
  assert.equal(((await search.json()) as { code: string }).code, 'unavailable')
})

test('addresses of search servers that are down are not revealed to callers', async () => {
  await using service = await startService({
    env: { TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' },
    crawl: false,
  })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_posts', arguments: { q: 'snow' } },
  })
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const asked: readonly [path: string, init?: RequestInit][] = [
    ['/v1/search?q=snow'],
    ['/v1/status'],
    ['/v1/status?format=md'],
    ['/?q=snow', { headers: { Accept: 'text/html' } }],
    ['/status', { headers: { Accept: 'text/html' } }],
    ['/mcp', { method: 'POST', headers, body }],
  ]
  for (const [path, init] of asked) {
    const told = await (await fetch(`${service.url}${path}`, init)).text()
    assert.match(told, /the index cannot be reached/i, path)
    assert.doesNotMatch(told, /127\.0\.0\.1:1\b|ECONNREFUSED/, path)
  }
})
