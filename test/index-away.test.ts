import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { makeHome, runLine } from './cli/telegrep.ts'
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

test('whom a watch tells can be tried while search servers are away', async (t) => {
  const home = makeHome('telegrep-index-away-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const env = { ...home.env, TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' }
  const add = "telegrep watch add --everything --name all --command 'tee told.json'"
  const line = JSON.stringify({ channel: 'durov', id: 1, date: '2026-01-01T00:00:00Z', text: 'a' })
  const ran = await runLine(`telegrep import - && ${add} && telegrep watch test all`, {
    ...home,
    env,
    input: line,
  })
  assert.match(ran.stdout, /^command +sent/m)
  assert.match(
    ran.stderr,
    /^What it would have found .* cannot be told: the index cannot be reached/m,
  )
  assert.equal(ran.code, 0)
})
