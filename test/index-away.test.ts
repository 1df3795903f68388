import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './start-service.ts'

test('a service whose search servers are away starts, is ready and answers all but searches', async () => {
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
