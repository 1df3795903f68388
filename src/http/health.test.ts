import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import type { Env } from './exchange.ts'
import { addHealth } from './health.ts'

test('/readyz answers 503 with Retry-After while the process is not ready, and /healthz 200', async () => {
  let why: string | null = 'store: db:5432 is away'
  const app = new Hono<Env>()
  const admin = new Hono<Env>()
  const whyNotReady = async () => why
  addHealth(app, { whyNotReady, tellsWhy: false })
  addHealth(admin, { whyNotReady, tellsWhy: true })
  const early = await app.request('/readyz')
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1'])
  assert.equal(await early.text(), 'not ready', 'callers are not told where')
  assert.equal(await (await admin.request('/readyz')).text(), `not ready: ${why}`)
  assert.equal((await app.request('/healthz')).status, 200)
  why = null
  const ready = await app.request('/readyz')
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [200, null])
})
