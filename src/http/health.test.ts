import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import type { Env } from './exchange.ts'
import { addHealth } from './health.ts'

test('a process that is not ready says when to ask again, and that it lives', async () => {
  let isReady = false
  const app = new Hono<Env>()
  addHealth(app, async () => isReady)
  const early = await app.request('/readyz')
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1'])
  assert.equal((await app.request('/healthz')).status, 200)
  isReady = true
  const ready = await app.request('/readyz')
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [200, null])
})
