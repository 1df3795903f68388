import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../test/until.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { maintain } from './maintain.ts'
import { KEEPER } from './store/roles.ts'

test('figures of the whole are told by the keeper alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-keeper-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  await using app = await createApp(config, secrets)
  const other = await app.store.roles.acquire(KEEPER, 'another/1/process', 60_000)
  assert.ok(other)

  const stop = new AbortController()
  const running = maintain(app, stop.signal)
  const gauges = async () =>
    (await app.metrics.registry.metrics()).match(/^telegrep_index_lag.*$/gm)
  await until(async () => (await gauges()) === null)
  stop.abort()
  await running

  await app.store.roles.release(other)
  const again = new AbortController()
  const keeping = maintain(app, again.signal)
  await until(async () => (await gauges())?.[0] === 'telegrep_index_lag_seconds 0')
  again.abort()
  await keeping
})
