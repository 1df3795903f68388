import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from './model/clock.ts'
import { isReady, tellSkew } from './ready.ts'
import { locateIndex } from './search/index-location.ts'
import { openSearchIndex } from './search/open-search-index.ts'
import { openMemoryStore } from './store/contract/memory/memory-store.ts'

const RETENTION = { deleted: 'redact', versions: 'keep' } as const

function temporary(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-ready-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a store whose clock is more than two seconds away makes a process not ready', async (t) => {
  const location = locateIndex({ folder: temporary(t) })
  await using index = await openSearchIndex(location, systemClock)
  for (const [aheadMs, expected] of [
    [0, true],
    [1_500, true],
    [-1_500, true],
    [3_000, false],
    [-3_000, false],
  ] as const) {
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
    await using store = openMemoryStore({ retention: RETENTION, clock })
    const parts = { store, index, config: { index: location }, clock: systemClock }
    assert.equal(await isReady(parts), expected, `${aheadMs} ms ahead`)
  }
})

test('a process stays ready while the servers of its index are away, and searches say so', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const cluster = { nodes: [`http://127.0.0.1:${port}`], prefix: 'telegrep' }
  const location = locateIndex({ folder: temporary(t), cluster })
  await using index = await openSearchIndex(location, systemClock)
  await using store = openMemoryStore({ retention: RETENTION })
  const parts = { store, index, config: { index: location }, clock: systemClock }
  assert.equal(await isReady(parts), true)
  await assert.rejects(index.state(), { code: 'unavailable', retryAfterS: 5 })
})

test('a clock that is apart is told as ahead or behind', () => {
  assert.equal(tellSkew(4_600), 'the store’s clock is 5 s ahead of ours')
  assert.equal(tellSkew(-5_000), 'the store’s clock is 5 s behind ours')
})
